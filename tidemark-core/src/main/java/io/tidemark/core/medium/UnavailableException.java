package io.tidemark.core.medium;

import java.io.IOException;

/** A medium refused a call without asking its device: this says nothing about the copy, which stays as it is. */
public final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
        super(message);
    }
}
