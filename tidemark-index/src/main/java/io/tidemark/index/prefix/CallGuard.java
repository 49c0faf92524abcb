package io.tidemark.index.prefix;

/** Refuses calls that would change a tree from inside a callback of a call that changes it. */
final class CallGuard {
    private static final String IDLE = "";

    private String running = IDLE;

    /** A call begins; {@link #exit} must follow. */
    void enter(String call) {
        if (!running.isEmpty()) {
            throw new IllegalStateException(call + " called from inside " + running + ": the tree is changing");
        }
        running = call;
    }

    void exit() {
        running = IDLE;
    }
}
