package io.tidemark.server.resp;

import io.tidemark.core.medium.NativeSys;
import java.io.IOException;

/**
 * The process's mask of file modes, set to leave 0660 for the time of one bind: the file of a Unix socket is created by
 * the kernel with what the mask leaves of 0777, and changing its mode afterwards would leave a moment in which anybody
 * may connect.
 *
 * <p>The mask is the whole process's, so this is for its start, when nothing else creates directories.
 */
final class FileMask {
    private static final int ALL_BUT_0660 = 0b001_001_111;

    private FileMask() {}

    /** What is done under the mask. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /** Runs {@code action}; the files it creates have the mode 0660 at most. */
    static synchronized void during(Action action) throws IOException {
        int before = NativeSys.INSTANCE.umask(ALL_BUT_0660);
        try {
            action.run();
        } finally {
            NativeSys.INSTANCE.umask(before);
        }
    }
}
