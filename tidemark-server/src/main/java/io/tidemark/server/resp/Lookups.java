package io.tidemark.server.resp;

/**
 * What clients asked for, of all listeners since the start.
 *
 * @param hits keys that a look-up or read found
 * @param misses keys that it did not find
 */
public record Lookups(long hits, long misses) {
    /** Before anybody could ask. */
    public static final Lookups NONE = new Lookups(0, 0);
}
