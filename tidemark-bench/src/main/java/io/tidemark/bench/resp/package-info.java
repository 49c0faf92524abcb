/**
 * The Redis protocol against a raw socket that moves the same bytes, and against {@code redis-server}.
 *
 * <p>May use: {@code bench.harness}, {@code server.replay}. Owns no lock.
 */
@NullMarked
package io.tidemark.bench.resp;

import org.jspecify.annotations.NullMarked;
