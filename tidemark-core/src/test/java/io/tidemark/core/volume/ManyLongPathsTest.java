package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A flat volume, one shard without a sample, of which the paths of all files are too long for a slot, and there is room for few of
 * those: what keeps the order of a sweeper, walk by walk, without its threads.
 */
class ManyLongPathsTest {
    private static final int FILES = 6_000;
    private static final int ROOM = 300;
    private static final long FILE_BYTES = 16_384;
    private static final int MINUTE = 60;
    private static final int WALKS_MAX = 40;

    private final TestClocks clocks = new TestClocks();
    private final long now = clocks.wallMillis() / 1000;
    private final long totalBytes = (long) (FILES * FILE_BYTES / 0.88);
    private final DeletionGrant grant = new DeletionGrant(clocks);
    private final Governor governor = new Governor(
            new Thresholds(85, 70, 95, 0), grant, TimeUnit.SECONDS.toNanos(1), new JointDeletion(), clocks);
    private final ReadyBuffer ready = new ReadyBuffer(1_000_000, ROOM, now);
    private final RankTable ranks = new RankTable(path -> Optional.empty());
    private final RankDir rank = ranks.at(new byte[0]).orElseThrow();
    private final Census census = new Census();
    private final Cutoffs cutoffs = new Cutoffs(
            census, grant, governor, ready.intake(), () -> 0, new UnreadFolders(text -> {}, clocks), 100, clocks);

    /** By minutes since their last use. */
    private final boolean[] gone = new boolean[FILES];

    private int removed;

    /** The listing is in no order of age. */
    private void walk() {
        List<Integer> listing = new ArrayList<>();
        for (int minutes = 0; minutes < FILES; minutes++) {
            listing.add(minutes);
        }
        Collections.shuffle(listing, new Random(7));
        Usage usage = new Usage((FILES - removed) * FILE_BYTES, totalBytes, 0, 0);
        cutoffs.renew();
        ready.intake().until(cutoffs.bufferedSeconds(usage, 1));
        ready.intake().walkBegins(now);
        census.begin(Set.of(rank.id()), Set.of(0), now);
        AgeHistogram ages = census.newHistogram(rank.id(), 0);
        PackedPath path = new PackedPath();
        path.noLeaf();
        for (int minutes : listing) {
            long used = now - (long) MINUTE * minutes;
            if (!gone[minutes]) {
                ages.add(used, FILE_BYTES);
                Name name = Name.of(String.format(Locale.ROOT, "%064x_org-model_0_8.bin", minutes));
                path.file(name);
                if (ready.intake().admits(used)) {
                    ready.add(rank, path, name, new Seen(used, FILE_BYTES, ages.walk()));
                }
            }
        }
        census.put(rank.id(), 0, ages, false);
        ready.intake().walkEnds(true);
    }

    private void free() {
        List<VolumeFile> taken = List.of();
        do {
            cutoffs.renew();
            taken = ready.poll(ranks, cutoffs.youngestStampSeconds().orElseThrow(), grant.remainingBytes(), 100, 100);
            for (VolumeFile file : taken) {
                grant.take(FILE_BYTES);
                census.removed(rank.id(), 0, file.seen(), file.pathHash(), true);
                gone[(int) (now - file.recencySeconds()) / MINUTE] = true;
                removed++;
            }
        } while (!taken.isEmpty() && grant.remainingBytes() > 0);
    }

    @Test
    void theColdestGoWalkByWalkUntilTheTarget() {
        long needed = FILES * FILE_BYTES - totalBytes * 70 / 100;
        grant.give(needed, 0, TimeUnit.HOURS.toNanos(1));
        int walks = 0;
        while (grant.remainingBytes() > 0) {
            assertThat(walks++)
                    .as("%d of %d bytes are left", grant.remainingBytes(), needed)
                    .isLessThan(WALKS_MAX);
            walk();
            free();
        }
        int coldest = 0;
        for (int minutes = FILES - removed; minutes < FILES; minutes++) {
            coldest += gone[minutes] ? 1 : 0;
        }
        assertThat(coldest).as("of %d", removed).isGreaterThanOrEqualTo(removed * 99 / 100);
        assertThat(walks).as("each takes as many as there is room for").isLessThanOrEqualTo(removed / ROOM + 3);
    }
}
