/**
 * The Redis protocol server: listeners, event loops, connections. Values go straight between socket and arena.
 *
 * <p>Follow a request downwards: {@code Acceptor} hands a socket to an {@code EventLoop}, whose {@code Connection}
 * decodes with {@code resp.protocol} and runs commands with {@code resp.command}. May use these two, {@code core.pool}.
 * One event loop owns a connection and everything below it; no lock of its own.
 */
@NullMarked
package io.tidemark.server.resp;

import org.jspecify.annotations.NullMarked;
