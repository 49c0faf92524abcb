package io.tidemark.server.resp;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of commands that wait unread in memory, over all connections of a server. Any thread may call. */
final class ReadAhead {
    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();

    ReadAhead(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Whether {@code more} bytes may be kept; they have to be given back then. */
    boolean take(long more) {
        if (bytes.addAndGet(more) <= limitBytes) {
            return true;
        }
        bytes.addAndGet(-more);
        return false;
    }

    void giveBack(long fewer) {
        bytes.addAndGet(-fewer);
    }

    long bytes() {
        return bytes.get();
    }
}
