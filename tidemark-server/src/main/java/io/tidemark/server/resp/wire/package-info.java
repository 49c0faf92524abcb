/**
 * The bytes between a connection and its client's socket: as they are, or under TLS.
 *
 * <p>A {@link io.tidemark.server.resp.wire.Wire} belongs to one event loop, {@link
 * io.tidemark.server.resp.wire.TlsMaterial} is shared by all connections; neither has a lock. Uses the JDK and the tls-channel
 * library, of this project {@code machine} alone, for what is wrong with a file.
 */
@NullMarked
package io.tidemark.server.resp.wire;

import org.jspecify.annotations.NullMarked;
