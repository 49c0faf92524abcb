/**
 * The Redis protocol (RESP2, RESP3): decoder, commands, connections. Values go straight between socket and arena.
 *
 * <p>May use: {@code core.pool}. One event loop owns a connection; no lock of its own.
 */
@NullMarked
package io.tidemark.server.resp;

import org.jspecify.annotations.NullMarked;
