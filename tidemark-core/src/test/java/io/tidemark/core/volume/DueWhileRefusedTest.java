package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.VictimSource;
import io.tidemark.core.pool.Claim;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.EvictionSpace;
import io.tidemark.core.pool.Evictor;
import io.tidemark.core.pool.Marks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Files whose time is over on a volume that refuses for hours, found again by each walk. */
class DueWhileRefusedTest {
    private static final int FILES = 1_000;
    private static final int BATCH = 256;

    private final RankDir rank = new RankTable(path -> Optional.empty())
            .at("m_r0".getBytes(StandardCharsets.UTF_8))
            .orElseThrow();
    private Duration now = Duration.ofDays(1);
    private final Clocks clocks = new Clocks() {
        @Override
        public long monotonicNanos() {
            return now.toNanos();
        }

        @Override
        public long wallMillis() {
            return now.toMillis();
        }
    };
    private final RecordingListener listener = new RecordingListener();
    private final VolumeRefusals refusals = new VolumeRefusals(listener, clocks);
    private final Set<VolumeFile> tried = new HashSet<>();
    private int found;

    private VolumeFile file(int number) {
        byte[] path = ("abc/" + number).getBytes(StandardCharsets.UTF_8);
        return new VolumeFile(rank, path, number, 4, new Seen(1, 1, 0), RemovalCause.EXPIRED);
    }

    private List<VolumeFile> due() {
        return IntStream.range(0, BATCH).mapToObj(i -> file(found++ % FILES)).toList();
    }

    private Reclaimable.Freed refuse(VolumeFile file) {
        if (!refusals.endsBatch()) {
            tried.add(file);
            refusals.failed(file, VolumeRefusals.Failing.REMOVAL, Errno.EROFS);
        }
        return new Reclaimable.Freed(Reclaimable.Outcome.FAILED, 0);
    }

    private Evictor<VolumeFile> evictor() {
        EvictionSpace none = new EvictionSpace() {
            @Override
            public long capacityBytes() {
                return 1;
            }

            @Override
            public long usedBytes() {
                return 0;
            }

            @Override
            public long leavingBytes() {
                return 0;
            }

            @Override
            public long wantedBytes() {
                return 0;
            }
        };
        VictimSource<VolumeFile> nothing = new VictimSource<>() {
            @Override
            public List<Offer<VolumeFile>> offers(OfferBudget budget, Predicate<VolumeFile> leftOut) {
                return List.of();
            }
        };
        return new Evictor<>(
                Marks.DEFAULT,
                none,
                nothing,
                victim -> new Claim.Free<>(List.of(victim)),
                this::refuse,
                10,
                () -> {},
                clocks);
    }

    @Test
    void noMoreOfThemAreHeldThanABatchAndAllAreTriedInTheEnd() {
        Deleter deleter = new Deleter(
                evictor(),
                () -> true,
                this::due,
                refusals,
                () -> {},
                new DeletionGrant(clocks),
                new EarlyLook(clocks, 1_000_000_000L),
                listener);
        Duration end = now.plusHours(2);
        long most = 0;
        while (now.compareTo(end) < 0) {
            if (!refusals.pausing()) {
                deleter.step();
                most = Math.max(most, refusals.bytes()); // a byte each
            }
            now = now.plusMillis(100);
        }
        assertThat(most).isBetween(1L, Deleter.DUE_MAX + (long) BATCH);
        assertThat(tried).hasSize(FILES);
    }
}
