package io.tidemark.server.volume;

/** A setting has a value that cannot be meant; says which, what it is, and what is expected. */
public final class VolumeSettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String problem;

    VolumeSettingException(String problem) {
        super(problem);
        this.problem = problem;
    }

    /** Which setting, what its value is, and what is expected. */
    public String problem() {
        return problem;
    }
}
