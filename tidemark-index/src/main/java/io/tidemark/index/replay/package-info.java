/**
 * Trace formats, the deterministic simulator, the offline optimum and miss-ratio curves.
 *
 * <p>May use: {@code policy}, {@code prefix}. Single-threaded; owns no lock.
 */
@NullMarked
package io.tidemark.index.replay;

import org.jspecify.annotations.NullMarked;
