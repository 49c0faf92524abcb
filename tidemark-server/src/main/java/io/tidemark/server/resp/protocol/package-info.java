/**
 * Bytes of the Redis protocol: the decoder of requests, the writer of replies, and the queue of bytes that leave.
 *
 * <p>Knows no command, no pool and no socket. May use: nothing of the server. Nothing here is shared between threads:
 * every object belongs to one connection, or to one event loop. No lock.
 */
@NullMarked
package io.tidemark.server.resp.protocol;

import org.jspecify.annotations.NullMarked;
