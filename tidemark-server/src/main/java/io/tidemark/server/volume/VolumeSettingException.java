package io.tidemark.server.volume;

/** Settings have values that cannot be meant; says which, what they are, and what is expected, a line each. */
public final class VolumeSettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String problem;

    VolumeSettingException(String problem) {
        super(problem);
        this.problem = problem;
    }

    /** Which settings, what their values are, and what is expected; a line for each. */
    public String problem() {
        return problem;
    }
}
