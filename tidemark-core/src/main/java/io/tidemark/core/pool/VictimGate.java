package io.tidemark.core.pool;

/** Validates a proposed victim again, at the moment it is to go, and takes it out of sight. Frees nothing. */
public interface VictimGate<H> {
    /** Decides about one victim under CAPACITY; see {@link EvictionReason}. */
    Claim<H> claim(H handle);
}
