/**
 * The commands of the Redis protocol: a table of name, arity, flags and handler, and one class per family.
 *
 * <p>A {@link io.tidemark.server.resp.command.CommandRunner} per connection says where each argument's bytes go (a
 * value straight into a reservation of the pool), then runs the command and writes its reply. Knows no socket. May use:
 * {@code resp.protocol}, {@code core.pool}. A runner belongs to its connection's event loop; what is shared between
 * connections (counters, list of clients, learnt header lengths) is concurrent by itself. No lock.
 */
@NullMarked
package io.tidemark.server.resp.command;

import org.jspecify.annotations.NullMarked;
