/**
 * Benchmarks of single operations, run by JMH: {@code ./tidemark bench jmh}.
 *
 * <p>May use: every package of the project. Owns no lock.
 */
@NullMarked
package io.tidemark.bench.jmh;

import org.jspecify.annotations.NullMarked;
