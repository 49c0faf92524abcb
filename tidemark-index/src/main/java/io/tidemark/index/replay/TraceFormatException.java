package io.tidemark.index.replay;

import java.io.IOException;

/** A trace says something that its format does not allow; the message names file, and line and column or the offset. */
public final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1;

    TraceFormatException(String what) {
        super(what);
    }

    TraceFormatException(String where, long line, int column, String what) {
        super(where + ":" + line + ":" + column + ": " + what);
    }

    /** In a file of bytes. */
    TraceFormatException(String where, long offset, String what) {
        super(where + " at byte " + offset + ": " + what);
    }
}
