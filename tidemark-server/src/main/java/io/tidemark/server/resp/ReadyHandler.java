package io.tidemark.server.resp;

import java.nio.channels.SelectionKey;

/** What an event loop calls when a channel is ready; attached to its key. */
interface ReadyHandler {
    /** The channel of {@code key} is ready for some of the operations it is interested in. Does not throw. */
    void ready(SelectionKey key);
}
