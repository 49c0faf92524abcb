/**
 * The SSD tier: bytes against what {@code fio} moves on the same file system, and the time of a warm start.
 *
 * <p>May use: {@code bench.harness}, core, {@code server.config} for sizes. Owns no lock.
 */
@NullMarked
package io.tidemark.bench.ssd;

import org.jspecify.annotations.NullMarked;
