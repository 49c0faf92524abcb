package io.tidemark.server.resp;

/** Quirks of a client that a listener answers to; set per listener, never guessed. */
public enum Compat {
    /** As Redis. */
    NONE,
    /**
     * LMCache's native {@code resp://} client, which reads exactly as many bytes of a GET's reply header as the header
     * of a hit would have: a miss is {@code -MISS} padded to that length.
     */
    LMCACHE_RESP
}
