package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.medium.Sys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullUnmarked;

/** A pool whose clock and duties the test runs, with puts and gets of whole values. Checks the pool when it closes. */
final class PoolHarness implements AutoCloseable {
    static final int PAGE = 4096;

    final ManualClocks clocks = new ManualClocks();
    final Pool pool;
    final Session session;

    PoolHarness(PoolConfig config, KeyHash hash) {
        pool = Pool.manual(config.with(clocks), hash);
        session = pool.session("test");
    }

    /** One DRAM tier of so many pages, under lru. */
    static PoolHarness dram(int pages, Marks marks) {
        return dram(pages, marks, limits -> limits);
    }

    static PoolHarness dram(int pages, Marks marks, UnaryOperator<PoolLimits> limits) {
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", marks, new TierMember(dram("dram0", pages), 1)));
        return new PoolHarness(config.with(limits.apply(PoolLimits.DEFAULT)), KeyHash.seeded(1));
    }

    /** A DRAM medium that is ready: every page touched, an order kept. */
    static Medium dram(String name, int pages) {
        return dram(name, pages, "lru+np");
    }

    static Medium dram(String name, int pages, String policy) {
        Medium medium = untracked(name, pages);
        medium.copies().trackOrder(policy);
        return medium;
    }

    /** The same without an order: nothing is ever evicted from it. */
    static Medium untracked(String name, int pages) {
        try {
            DramMedium medium = DramMedium.open(NativeSys.INSTANCE, DramOptions.of(name, (long) pages * PAGE));
            Awaitility.await()
                    .dontCatchUncaughtExceptions() // those of threads of the test before are not ours
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .until(() -> medium.ledger().snapshot().untouched() == 0);
            return medium;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An SSD medium in a folder of its name, with an order. */
    static SsdMedium ssd(Sys sys, String name, Path folder, long bytes, String policy) throws IOException {
        SsdMedium ssd = SsdMedium.open(sys, SsdOptions.of(name, folder.resolve(name), bytes));
        ssd.copies().trackOrder(policy);
        return ssd;
    }

    /** Which of the first {@code names} have this backend of the lowest tier as their first place there. */
    List<Integer> placedOn(String backend, int names) {
        Tier lowest = new TierGraph(pool.config()).tiers().getLast();
        return IntStream.range(0, names)
                .filter(name ->
                        lowest.placement(key(name).bytes()).getFirst().name().equals(backend))
                .boxed()
                .toList();
    }

    /** DRAM above, a test medium below; both with the same marks. */
    static PoolHarness tiered(int dramPages, FarMedium below, Marks marks, UnaryOperator<PoolLimits> limits) {
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(dram("dram0", dramPages), 1));
        TierConfig lower = TierConfig.of("far", marks, new TierMember(below, 1));
        return tiered(upper, lower, limits);
    }

    static PoolHarness tiered(TierConfig upper, TierConfig lower, UnaryOperator<PoolLimits> limits) {
        PoolConfig config = PoolConfig.of(upper.offloadingTo(lower.name()), lower);
        return new PoolHarness(config.with(limits.apply(PoolLimits.DEFAULT)), KeyHash.seeded(1));
    }

    /** Backends that hold the block, placement first. */
    List<String> where(Object name) {
        return pool.where(key(name)).stream().map(CopyInfo::backend).toList();
    }

    /** Value of a counter, summed over all label values that contain the given ones. */
    long counter(String name, String... labels) {
        Totals totals = new Totals(name, List.of(labels));
        pool.counters(totals);
        return totals.sum;
    }

    private static final class Totals implements CounterVisitor {
        private final String wanted;
        private final List<String> wantedLabels;
        long sum = 0;

        Totals(String wanted, List<String> wantedLabels) {
            this.wanted = wanted;
            this.wantedLabels = wantedLabels;
        }

        @Override
        public void counter(String name, String help, long value, String... labels) {
            if (name.equals(wanted) && List.of(labels).containsAll(wantedLabels)) {
                sum += value;
            }
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {}
    }

    EvictionResult evict(Object name, EvictionReason reason) {
        return pool.evict(EvictionRequest.of(key(name), reason));
    }

    EvictionOutcome evictFrom(Object name, String backend) {
        EvictionRequest request =
                new EvictionRequest(key(name), Optional.empty(), Optional.of(backend), EvictionReason.CAPACITY);
        return pool.evict(request).outcome();
    }

    /** These limits with another cap on pins. */
    static PoolLimits pinnedShare(PoolLimits limits, double share) {
        return limits.but().pinnedShare(share).build();
    }

    static BlockKey key(Object name) {
        return BlockKey.of(String.valueOf(name));
    }

    /** A value of so many bytes that belongs to the seed. */
    static byte[] value(long seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 31 + i * 7L + (i >>> 8));
        }
        return bytes;
    }

    static void fill(List<MemorySegment> segments, byte[] bytes) {
        long at = 0;
        for (MemorySegment segment : segments) {
            MemorySegment.copy(MemorySegment.ofArray(bytes), at, segment, 0, segment.byteSize());
            at += segment.byteSize();
        }
        assertThat(at).isEqualTo(bytes.length);
    }

    static byte[] bytes(ReadResult.Pinned pin) {
        byte[] bytes = new byte[(int) pin.bytes()];
        int at = 0;
        for (MemorySegment segment : pin.segments()) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, 0, bytes, at, (int) segment.byteSize());
            at += (int) segment.byteSize();
        }
        return bytes;
    }

    Answer put(Object name, byte[] bytes) {
        return put(session, key(name), bytes, PutHints.NONE, PutMode.REPLACE);
    }

    static Answer put(Session session, BlockKey key, byte[] bytes, PutHints hints, PutMode mode) {
        return switch (session.reserve(key, bytes.length, hints, mode)) {
            case Reserved.Refused(Answer answer) -> answer;
            case Reserved.Reservation reservation -> {
                fill(reservation.segments(), bytes);
                yield reservation.commit();
            }
        };
    }

    /** Puts a page that belongs to the name; the name must be a number. */
    void putPage(int name) {
        assertThat(put(name, value(name, PAGE))).isEqualTo(Answer.STORED);
    }

    /** The value, or null for a miss. */
    byte[] get(Object name) {
        return get(session, key(name));
    }

    @NullUnmarked
    static byte[] get(Session session, BlockKey key) {
        if (session.read(key) instanceof ReadResult.Pinned pin) {
            try (pin) {
                return bytes(pin);
            }
        }
        return null;
    }

    ReadResult.Pinned pin(Object name) {
        return (ReadResult.Pinned) session.read(key(name));
    }

    /** Runs the worker until nothing more happens. */
    void settle() {
        pool.watermarks().pass();
        pool.transitionWork().run();
        pool.housekeeping().tick();
    }

    /** The names from 0 on that the pool holds. */
    List<Integer> held(int end) {
        List<Integer> held = new ArrayList<>();
        for (int name = 0; name < end; name++) {
            if (pool.contains(key(name))) {
                held.add(name);
            }
        }
        return held;
    }

    BackendStatus backend() {
        return pool.status().backends().getFirst();
    }

    @Override
    public void close() {
        pool.checkInvariants();
        pool.close();
    }
}
