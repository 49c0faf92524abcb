/**
 * Runs things side by side: alternated rounds in both orders, medians with their intervals, and the machine they ran on.
 *
 * <p>May use: nothing of the project. Owns no lock.
 */
@NullMarked
package io.tidemark.bench.harness;

import org.jspecify.annotations.NullMarked;
