package io.tidemark.server.resp.protocol;

/** A reply that finds no memory, because the replies of other clients that do not read hold all of it. */
public final class ReplyMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReplyMemoryException() {
        super("the memory for replies is used up by clients that do not read", null, false, false);
    }
}
