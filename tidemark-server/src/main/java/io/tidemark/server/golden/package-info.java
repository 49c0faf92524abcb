/**
 * Reads files of recorded prefix-tree calls and replays them.
 *
 * <p>May use: {@code index.prefix}. Owns no lock and no thread.
 */
@NullMarked
package io.tidemark.server.golden;

import org.jspecify.annotations.NullMarked;
