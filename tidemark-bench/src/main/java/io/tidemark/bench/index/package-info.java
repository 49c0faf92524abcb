/**
 * Benchmarks of the prefix tree: the operations that SGLang's own benchmark times, on sequences of the same shape.
 *
 * <p>May use: {@code index}, {@code bench.harness}. One thread, but for the reads beside a writer.
 */
@NullMarked
package io.tidemark.bench.index;

import org.jspecify.annotations.NullMarked;
