package io.tidemark.server.volume;

/** A setting has a value that cannot be meant; says which, what it is, and what is expected. */
public final class VolumeSettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    VolumeSettingException(String message) {
        super(message);
    }
}
