/**
 * The process {@code tidemark volume}: settings under the names of the evictor it replaces, the roles as threads and
 * their supervision, log and status lines, delete events, health and metrics.
 *
 * <p>May use: {@code core.volume}, {@code core.medium}, {@code core.pool}, {@code http}, {@code machine}, {@code metrics}.
 * Owns no lock of the core; its own are leaves.
 */
@NullMarked
package io.tidemark.server.volume;

import org.jspecify.annotations.NullMarked;
