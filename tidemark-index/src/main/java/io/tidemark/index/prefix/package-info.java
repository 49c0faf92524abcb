/**
 * The prefix tree: match, insert, split, locks, leaves, sessions, host tier, events.
 *
 * <p>An index: it evicts <em>nodes</em> through its own orders and frees no bytes. May use: {@code policy}.
 * Single writer; owns no lock.
 */
@NullMarked
package io.tidemark.index.prefix;

import org.jspecify.annotations.NullMarked;
