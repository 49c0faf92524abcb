package io.tidemark.index.replay;

import java.util.Optional;

/** What happened to a block. The code of a kind is its place in a recording and never changes. */
public enum UseKind {
    /** A read that found the block. */
    HIT(1),
    /** A read that did not. */
    MISS(2),
    /** A put, whatever it was answered. */
    PUT(3),
    /** A use without bytes. */
    TOUCH(4),
    /** A look-up that found the block; no use. */
    SEEN(5),
    /** A look-up that did not. */
    UNSEEN(6),
    /** The block is to go. */
    DELETE(7),
    /** The block got another time to live, or none. */
    EXPIRE(8),
    /** All blocks are to go. */
    CLEAR(9),
    /** So many uses, in place of the bytes, were not recorded here. */
    LOST(10);

    private final int code;

    UseKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Optional<UseKind> of(int code) {
        return code < 1 || code > values().length ? Optional.empty() : Optional.of(values()[code - 1]);
    }
}
