/**
 * jcstress tests of what the pool's readers rely on without a lock of their own, behind
 * {@code ./tidemark bench jcstress}. They use the public calls of a medium only.
 */
@NullMarked
package io.tidemark.bench.stress;

import org.jspecify.annotations.NullMarked;
