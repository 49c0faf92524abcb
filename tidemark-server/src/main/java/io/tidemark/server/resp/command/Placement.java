package io.tidemark.server.resp.command;

import io.tidemark.server.resp.protocol.Body;

/** What is to be done with an argument whose length is known. */
public sealed interface Placement {
    /** Its bytes go here. */
    record Into(Body body) implements Placement {}

    /** The pool has no space for it now: ask again with {@link CommandRunner#retry}, or {@link CommandRunner#refuse}. */
    record NoSpace(long bytes) implements Placement {}
}
