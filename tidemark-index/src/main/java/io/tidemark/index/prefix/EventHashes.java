package io.tidemark.index.prefix;

/** Which hashes the events of a tree carry. */
public enum EventHashes {
    /** No events are made. */
    OFF,
    /** The chain that SGLang publishes: the cache salt is hashed, the extra key is not. */
    SGLANG,
    /** Extra key and salt are both hashed, so that equal tokens of two adapters never look alike to a router. */
    NAMESPACED
}
