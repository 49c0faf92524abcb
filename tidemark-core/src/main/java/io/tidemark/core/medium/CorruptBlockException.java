package io.tidemark.core.medium;

import java.io.IOException;

/** The bytes of a block are not those that were written: the copy is to be discarded, the block is a miss. */
public final class CorruptBlockException extends IOException {
    private static final long serialVersionUID = 1;

    /** What does not verify, and where. */
    public CorruptBlockException(String message) {
        super(message);
    }
}
