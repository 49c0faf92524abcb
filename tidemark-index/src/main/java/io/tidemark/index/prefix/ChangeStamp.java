package io.tidemark.index.prefix;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Tells readers on other threads whether the tree changed while they read: a number that is odd while the writer is
 * changing something and another one afterwards (a sequence lock).
 *
 * <p>Invariant: what a reader read between {@link #read}, answering an even number, and {@link #holds} of that number,
 * answering true, was written by no change that began after the first and completely by all that ended before it. The
 * odd number is stored before the first write of a change, and the even one after its last; the reader's loads lie
 * between its two loads of the number. Neither side waits for the other.
 */
final class ChangeStamp {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(ChangeStamp.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long value;
    /** Changes within changes; the writer's alone. */
    private int depth;

    /** The writer begins a change, or one within it. */
    void begin() {
        if (depth++ == 0) {
            VALUE.setOpaque(this, value + 1);
            VarHandle.storeStoreFence();
        }
    }

    /** Ends what {@link #begin} began. */
    void end() {
        if (--depth == 0) {
            VALUE.setRelease(this, value + 1);
        }
    }

    /** A reader begins. */
    long read() {
        return (long) VALUE.getAcquire(this);
    }

    /** Whether nothing changed since {@link #read} answered this number. */
    boolean holds(long seen) {
        VarHandle.loadLoadFence();
        return (long) VALUE.getOpaque(this) == seen;
    }

    /** Whether the number is one of a change that is going on. */
    static boolean isChanging(long seen) {
        return (seen & 1) != 0;
    }
}
