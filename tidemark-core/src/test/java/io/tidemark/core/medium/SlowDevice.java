package io.tidemark.core.medium;

import java.util.concurrent.locks.LockSupport;

/**
 * A device that serves one call after the other in the order of their coming, at so many bytes a second, however deep its
 * queue is.
 */
public final class SlowDevice {
    private final double nanosPerByte;
    /** When it will have served all that came. Guarded by this. */
    private long idleFrom = System.nanoTime();

    public SlowDevice(long bytesPerSecond) {
        nanosPerByte = 1e9 / bytesPerSecond;
    }

    /** Returns when the call is served. */
    public void serve(long bytes) {
        long now = System.nanoTime();
        long end;
        synchronized (this) {
            end = now + Math.max(0, idleFrom - now) + (long) (bytes * nanosPerByte);
            idleFrom = end;
        }
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
