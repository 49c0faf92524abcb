package io.tidemark.core.medium;

import java.io.IOException;

/** A system call that failed: which one, and with what error. */
public final class SysException extends IOException {
    private static final long serialVersionUID = 1;

    private final String call;
    private final int errno;

    /**
     * A failed call.
     *
     * @param call the kernel's name of the call
     * @param errno the kernel's error number, see {@link Errno}
     * @param on what it was called on: a path, a descriptor, a range
     */
    public SysException(String call, int errno, String on) {
        super(call + " on " + on + ": " + Errno.name(errno));
        this.call = call;
        this.errno = errno;
    }

    /** The kernel's name of the call. */
    public String call() {
        return call;
    }

    /** The kernel's error number, see {@link Errno}. */
    public int errno() {
        return errno;
    }
}
