package io.tidemark.core.pool;

/** Who answers for a session: told when something it holds has stopped making progress. */
public interface SessionOwner {
    /**
     * A put or a read of the session is overdue: no commit will be accepted and no byte may be read any more. The owner
     * stops using its segments and closes the session, from a thread of its own; until then the space is kept, because
     * bytes may still be moving. Must not block.
     *
     * @param what the kind of token, {@code read} or {@code put}
     */
    void overdue(String what);
}
