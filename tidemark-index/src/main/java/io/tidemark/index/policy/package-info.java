/**
 * Eviction orders: which member goes next. One set of orders serves the prefix tree, every backend of the
 * pool, the volume sweeper and the replay simulator.
 *
 * <p>Nodes are {@code int} ids that index flat arrays, so that an order makes no garbage and costs a few bytes
 * a node. May use: nothing. Owns no lock: every order is single-writer, its owner guards it.
 */
@NullMarked
package io.tidemark.index.policy;

import org.jspecify.annotations.NullMarked;
