/**
 * Turns the counters that core components show to a visitor into Prometheus text, and writes the summary line.
 *
 * <p>May use: {@code core}, {@code config}. Owns no lock.
 */
@NullMarked
package io.tidemark.server.metrics;

import org.jspecify.annotations.NullMarked;
