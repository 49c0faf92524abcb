/**
 * Side-by-side benchmarks, JMH and jcstress. Not shipped.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;
