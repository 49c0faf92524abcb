package io.tidemark.index.prefix;

/**
 * Refuses calls that would change a tree from inside a callback of a call that changes it, and tells readers of other
 * threads of each change.
 */
final class CallGuard {
    private static final String IDLE = "";

    private final ChangeStamp stamp;
    private String running = IDLE;

    CallGuard(ChangeStamp stamp) {
        this.stamp = stamp;
    }

    /** A call begins that changes what readers see; {@link #exit} must follow. */
    void enter(String call) {
        enterUse(call);
        stamp.begin();
    }

    void exit() {
        stamp.end();
        exitUse();
    }

    /** A call begins that changes orders, and what readers see only where it says so; {@link #exitUse} must follow. */
    void enterUse(String call) {
        if (!running.isEmpty()) {
            throw new IllegalStateException(call + " called from inside " + running + ": the tree is changing");
        }
        running = call;
    }

    void exitUse() {
        running = IDLE;
    }
}
