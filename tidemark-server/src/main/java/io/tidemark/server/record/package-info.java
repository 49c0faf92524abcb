/**
 * The recording of a server: what its clients did with blocks, for the simulator. Off unless asked for.
 *
 * <p>May use: {@code index.replay}, the keys of {@code core.pool}, the words of {@code machine} for what went wrong with a file.
 * Owns no lock: event loops put uses into a bounded queue, one thread takes them out and writes.
 */
@NullMarked
package io.tidemark.server.record;

import org.jspecify.annotations.NullMarked;
