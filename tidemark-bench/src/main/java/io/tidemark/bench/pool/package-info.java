/**
 * The pool and its media in process: put and get against one memcpy, look-ups, allocation, memory of the index.
 *
 * <p>May use: {@code bench.harness}, {@code core.pool}, {@code core.medium}. Owns no lock.
 */
@NullMarked
package io.tidemark.bench.pool;

import org.jspecify.annotations.NullMarked;
