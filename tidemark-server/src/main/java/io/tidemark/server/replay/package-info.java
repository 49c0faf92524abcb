/**
 * Replays a trace against a running server with byte-checked content, and the demo built on it.
 *
 * <p>May use: {@code index.replay}. A client of the wire only: it shares no state with a server in the process.
 */
@NullMarked
package io.tidemark.server.replay;

import org.jspecify.annotations.NullMarked;
