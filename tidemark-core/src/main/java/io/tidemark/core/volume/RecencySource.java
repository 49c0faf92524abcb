package io.tidemark.core.volume;

import java.util.Locale;

/** Where the order of removal really comes from on this mount. */
public enum RecencySource {
    /** Not found out yet, or not possible to (nothing may be written). */
    UNKNOWN,
    /** Every read moves the access time. */
    ATIME_LIVE,
    /** A read moves the access time once a day: within a day the order is that of the first read. */
    ATIME_RELATIME,
    /** Reads leave no trace: files go in the order they were written, first in first out. */
    MTIME_FIFO,
    /** Clients tell of their reads in touch logs. */
    TOUCH_LOG;

    /** Label of a metric. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
