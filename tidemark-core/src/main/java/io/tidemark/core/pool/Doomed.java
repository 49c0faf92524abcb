package io.tidemark.core.pool;

/**
 * A copy that was taken out of sight under the entry lock, to be freed after the lock.
 *
 * @param pinned reads hold it: whoever ends the last of them frees it
 * @param carried a move was copying it: the copy that the move made is on its way out too, and may be durable until then
 */
record Doomed(Backend backend, long copy, boolean pinned, boolean carried) {
    /** A copy whose last pin was closed. */
    static Doomed unpinned(Backend backend, long copy) {
        return new Doomed(backend, copy, false, false);
    }
}
