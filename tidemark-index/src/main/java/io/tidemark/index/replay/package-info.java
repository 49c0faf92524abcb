/**
 * Trace formats, the deterministic simulator, the offline optimum and miss-ratio curves.
 *
 * <p>Start at {@link io.tidemark.index.replay.Simulation}. A {@code TraceReader} makes a {@code Trace}, of single uses
 * through {@code UseChains}; the
 * {@code CacheCatalog} makes a cache by the name of its policy; a {@code Tally} counts hits before each request. Most
 * policies are a key in {@code TreePolicies} over the leaves of a {@code TreeTier}.
 *
 * <p>May use: {@code policy}, {@code prefix}. Single-threaded; owns no lock.
 */
@NullMarked
package io.tidemark.index.replay;

import org.jspecify.annotations.NullMarked;
