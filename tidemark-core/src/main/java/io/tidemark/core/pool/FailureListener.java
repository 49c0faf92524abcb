package io.tidemark.core.pool;

/** Is told when the duty of a pool's thread fails. The thread goes on. */
public interface FailureListener {
    /**
     * The first failure after a turn that went well, or one of another kind. Must not block.
     *
     * @param thread name of the thread
     * @param failures turns of this thread that failed since the start, this one included
     */
    void failed(String thread, Throwable failure, long failures);
}
