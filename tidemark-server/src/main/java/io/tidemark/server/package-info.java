/**
 * The process: wiring of pool, listeners, admin HTTP and signals; start and stop in order.
 */
@NullMarked
package io.tidemark.server;

import org.jspecify.annotations.NullMarked;
