/**
 * Admin HTTP: {@code /livez /readyz /metrics /api/v1/...}.
 *
 * <p>May use: {@code metrics}, {@code core.pool}. Owns no lock.
 */
@NullMarked
package io.tidemark.server.http;

import org.jspecify.annotations.NullMarked;
