package io.tidemark.core.medium;

import java.io.IOException;

/** A directory is sound, and holds blocks that may be neither served nor thrown away here. */
public final class LeftAloneException extends IOException {
    private static final long serialVersionUID = 1;

    public LeftAloneException(String message) {
        super(message);
    }
}
