package io.tidemark.core.pool;

import java.util.Set;
import java.util.function.Consumer;

/**
 * Who waits until the ends of what a change took out of sight survive a restart: the change itself, or somebody else, before
 * it is answered. A thread that serves many clients leaves the waiting to another one.
 */
public sealed interface Ends {
    /** The change waits. */
    static Ends awaited() {
        return new Awaited();
    }

    /** The change waits for no device and reads from none; what is left to wait for is given away before it returns. */
    static Ends leftTo(Consumer<Unsettled> other) {
        return new Left(other);
    }

    /** Whether the caller may be held up. */
    default boolean mayWait() {
        return this instanceof Awaited;
    }

    /** Waits, or has somebody else wait; answers the backends from which something may be back after a restart, as far as known. */
    default Set<String> settle(Unsettled rest) {
        return switch (this) {
            case Awaited() -> rest.await();
            case Left(Consumer<Unsettled> other) -> {
                if (!rest.isEmpty()) {
                    other.accept(rest);
                }
                yield Set.of();
            }
        };
    }

    /** See {@link #awaited}. */
    record Awaited() implements Ends {}

    /** See {@link #leftTo}. */
    record Left(Consumer<Unsettled> other) implements Ends {}
}
