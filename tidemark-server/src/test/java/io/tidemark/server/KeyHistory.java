package io.tidemark.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What one key may hold, as its only writer knows it: one value once a write is answered, several while writes are under way
 * or after a kill cut them off. A miss is always right, for the store is a cache. Not thread-safe.
 */
final class KeyHistory {
    /** How long before a kill a change of the end of a life may have been made and be forgotten; promised are 100 ms. */
    private static final long END_FORGOTTEN_MILLIS = 1_000;

    /**
     * A value.
     *
     * @param version 0 where the key holds nothing
     * @param endMillis wall clock from which on it must not be served; 0: never
     * @param endSetMillis wall clock at which a command of its own set that end; 0: it came with the value
     */
    record Value(long version, int bytes, long endMillis, long endSetMillis) {
        static final Value ABSENT = new Value(0, 0, 0, 0);

        boolean absent() {
            return version == 0;
        }

        boolean overAt(long nowMillis) {
            return endMillis != 0 && nowMillis >= endMillis;
        }

        Value endingAt(long millis, long setMillis) {
            return new Value(version, bytes, millis, setMillis);
        }
    }

    final String name;
    private final Deque<Value> underWay = new ArrayDeque<>();
    private List<Value> possible = List.of(Value.ABSENT);

    KeyHistory(String name) {
        this.name = name;
    }

    /** A write was sent. */
    void sent(Value value) {
        underWay.addLast(value);
    }

    /** The oldest write under way was answered. */
    void answered(boolean done) {
        Value value = underWay.removeFirst();
        if (done) {
            possible = List.of(value);
        }
    }

    /** As {@link #answered} with true, for a value that the answer has decided about. */
    void answered(Value value) {
        underWay.removeFirst();
        possible = List.of(value);
    }

    /** The server was killed at this moment: writes under way may have been done or not. */
    void killed(long nowMillis) {
        List<Value> all = new ArrayList<>(possible);
        all.addAll(underWay);
        underWay.clear();
        for (Value value : List.copyOf(all)) {
            if (nowMillis - value.endSetMillis() < END_FORGOTTEN_MILLIS) {
                all.add(value.endingAt(0, 0));
            }
        }
        possible = List.copyOf(all);
    }

    /** A read found this value. */
    void found(Value value) {
        possible = List.of(value);
    }

    List<Value> possible() {
        return possible;
    }

    /** Whether the key cannot hold anything. */
    boolean gone() {
        return possible.stream().allMatch(Value::absent);
    }

    /** The one value, where it is known and there. */
    boolean known() {
        return underWay.isEmpty()
                && possible.size() == 1
                && !possible.getFirst().absent();
    }

    /** Bytes that only this key and version have. */
    byte[] bytes(Value value) {
        byte[] out = new byte[value.bytes()];
        long seed = name.hashCode() * 0x9E37_79B9_7F4A_7C15L + value.version() * 0xC2B2_AE3D_27D4_EB4FL;
        for (int at = 0; at < out.length; at++) {
            if ((at & 7) == 0) {
                seed = (seed ^ (seed >>> 29)) * 0xBF58_476D_1CE4_E5B9L + 1;
            }
            out[at] = (byte) (seed >>> (8 * (at & 7)));
        }
        return out;
    }
}
