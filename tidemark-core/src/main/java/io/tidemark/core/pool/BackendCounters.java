package io.tidemark.core.pool;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What moved in and out of one backend. Counted where the state of a copy changes, so that stored less left equals what
 * is resident.
 */
final class BackendCounters {
    /** Copies and their allocated bytes. */
    private static final class Flow {
        final LongAdder copies = new LongAdder();
        final LongAdder bytes = new LongAdder();

        void add(long count, long allocatedBytes) {
            copies.add(count);
            bytes.add(allocatedBytes);
        }
    }

    private final Map<Stored, Flow> in = new EnumMap<>(Stored.class);
    private final Map<Left, Flow> out = new EnumMap<>(Left.class);
    private final LongAdder hits = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder noSpace = new LongAdder();
    private final LongAdder missedEnds = new LongAdder();
    private final LongAdder damaged = new LongAdder();
    private final LongAdder unavailable = new LongAdder();

    BackendCounters() {
        for (Stored how : Stored.values()) {
            in.put(how, new Flow());
        }
        for (Left why : Left.values()) {
            out.put(why, new Flow());
        }
    }

    void stored(Stored how, long allocatedBytes) {
        stored(how, 1, allocatedBytes);
    }

    /** Several copies. */
    void stored(Stored how, long count, long allocatedBytes) {
        flow(in, how).add(count, allocatedBytes);
    }

    void left(Left why, long allocatedBytes) {
        flow(out, why).add(1, allocatedBytes);
    }

    void hit(long bytes) {
        hits.increment();
        hitBytes.add(bytes);
    }

    void noSpace() {
        noSpace.increment();
    }

    /** The end of a copy here, or of what a move from here made, was not made durable in time. */
    void missedEnd() {
        missedEnds.increment();
    }

    /** A read found a copy whose bytes do not verify. */
    void damaged() {
        damaged.increment();
    }

    /** Copies that reads found damaged so far. */
    long damagedCopies() {
        return damaged.sum();
    }

    /** A read was not answered from here because the device is out of use. */
    void unavailable() {
        unavailable.increment();
    }

    /** Allocated bytes that came in less those that left: what should be resident at quiescence. */
    long balanceBytes() {
        long sum = 0;
        for (Flow flow : in.values()) {
            sum += flow.bytes.sum();
        }
        for (Flow flow : out.values()) {
            sum -= flow.bytes.sum();
        }
        return sum;
    }

    void show(CounterVisitor visitor, String tier, String backend) {
        in.forEach((how, flow) -> {
            String[] labels = {"tier", tier, "backend", backend, "source", name(how)};
            visitor.counter("tidemark_stored_copies_total", "Copies committed.", flow.copies.sum(), labels);
            visitor.counter("tidemark_stored_bytes_total", "Allocated bytes committed.", flow.bytes.sum(), labels);
        });
        out.forEach((why, flow) -> {
            String[] labels = {"tier", tier, "backend", backend, "reason", name(why)};
            visitor.counter("tidemark_left_copies_total", "Copies no longer findable.", flow.copies.sum(), labels);
            visitor.counter("tidemark_left_bytes_total", "Their allocated bytes.", flow.bytes.sum(), labels);
        });
        String[] labels = {"tier", tier, "backend", backend};
        visitor.counter("tidemark_hits_total", "Reads answered from here.", hits.sum(), labels);
        visitor.counter("tidemark_hit_bytes_total", "Bytes of these reads.", hitBytes.sum(), labels);
        visitor.counter("tidemark_no_space_total", "Requests for space that found none.", noSpace.sum(), labels);
        visitor.counter(
                "tidemark_failed_retracts_total",
                "Discards after which a block may be back from here after a restart.",
                missedEnds.sum(),
                labels);
        visitor.counter(
                "tidemark_unreadable_copies_total",
                "Copies that a read or a move found damaged; each was discarded, and a read missed.",
                damaged.sum(),
                labels);
        visitor.counter(
                "tidemark_unavailable_reads_total",
                "Reads that missed because the device that holds the block is out of use.",
                unavailable.sum(),
                labels);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <K extends Enum<K>> Flow flow(Map<K, Flow> flows, K key) {
        Flow flow = flows.get(key);
        if (flow == null) {
            throw new IllegalStateException("no flow for " + key);
        }
        return flow;
    }
}
