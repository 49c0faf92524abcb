package io.tidemark.core.medium;

import java.util.concurrent.locks.LockSupport;

/**
 * A device that serves one call after the other in the order of their coming, at so many bytes a second, however deep its
 * queue is. Who comes is told what lies before it in bytes, which says the same on a machine that is busy.
 */
public final class SlowDevice {
    private final double nanosPerByte;
    /** When it will have served all that came. Guarded by this. */
    private long idleFrom = System.nanoTime();

    public SlowDevice(long bytesPerSecond) {
        nanosPerByte = 1e9 / bytesPerSecond;
    }

    /** Returns when the call is served; the answer is how many bytes were before it when it came. */
    public long serve(long bytes) {
        long now = System.nanoTime();
        long before;
        long end;
        synchronized (this) {
            before = Math.max(0, idleFrom - now);
            end = now + before + (long) (bytes * nanosPerByte);
            idleFrom = end;
        }
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return (long) (before / nanosPerByte);
    }
}
