package io.tidemark.core.medium;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of one table of copies, held from {@link #hold} until what that answers is closed. Below the lock of an entry,
 * above the ledger's monitor; see docs/architecture.md.
 */
final class CopyLock {
    /** The lock, held until it is closed. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Held unlock = lock::unlock;

    Held hold() {
        lock.lock();
        return unlock;
    }
}
