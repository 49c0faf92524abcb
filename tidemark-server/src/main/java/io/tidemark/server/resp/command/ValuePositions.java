package io.tidemark.server.resp.command;

import io.tidemark.core.pool.PutMode;

/**
 * Which arguments of a command are values that go straight into the pool.
 *
 * @param first index of the first value, 0 for none
 * @param step distance between values, 0 when there is one
 * @param keyDistance how far before its value a key stands
 * @param mode what is known of the put before its options were read
 */
record ValuePositions(int first, int step, int keyDistance, PutMode mode) {
    static final ValuePositions NONE = new ValuePositions(0, 0, 0, PutMode.REPLACE);
    static final ValuePositions AFTER_KEY = new ValuePositions(2, 0, 1, PutMode.REPLACE);
    static final ValuePositions AFTER_KEY_IF_ABSENT = new ValuePositions(2, 0, 1, PutMode.REPLACE_IF_ABSENT);
    static final ValuePositions AFTER_TTL = new ValuePositions(3, 0, 2, PutMode.REPLACE);
    static final ValuePositions PAIRS = new ValuePositions(2, 2, 1, PutMode.REPLACE);

    boolean isValue(int index) {
        return first > 0 && (step == 0 ? index == first : index >= first && (index - first) % step == 0);
    }
}
