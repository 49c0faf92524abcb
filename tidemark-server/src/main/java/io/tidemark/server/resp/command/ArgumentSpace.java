package io.tidemark.server.resp.command;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that arguments of all connections take together, held under a bound: each command is bounded, but a hundred
 * large ones that never end would fill the heap. Thread-safe.
 */
public final class ArgumentSpace {
    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();

    public ArgumentSpace(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** A share of this JVM's heap. */
    public static ArgumentSpace ofThisJvm() {
        return new ArgumentSpace(Runtime.getRuntime().maxMemory() / 8);
    }

    /** Takes so many bytes, which have to be given back; false when they are not there. */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Bytes taken now. */
    public long usedBytes() {
        return used.get();
    }
}
