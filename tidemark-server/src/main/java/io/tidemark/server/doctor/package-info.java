/**
 * {@code tidemark doctor}: looks at the machine, the configuration and a server that may run, and says what to do.
 *
 * <p>Changes nothing but a probe file that it removes, so it may run beside a server. May use: {@code server}, {@code config},
 * {@code machine} and the system calls of {@code core.medium}.
 */
@NullMarked
package io.tidemark.server.doctor;

import org.jspecify.annotations.NullMarked;
