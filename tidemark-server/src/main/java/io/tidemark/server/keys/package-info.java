/**
 * Keys of clients and the blocks they name: the one place that knows how a client writes its keys; and the names of tiers and
 * backends as people give them. May use:
 * {@code core.pool}. No state, no lock.
 */
@NullMarked
package io.tidemark.server.keys;

import org.jspecify.annotations.NullMarked;
