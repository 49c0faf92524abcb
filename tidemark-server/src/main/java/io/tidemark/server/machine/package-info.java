/**
 * What the machine says: memory that this process may use, where a directory lies, who holds an address.
 *
 * <p>Reads files of the kernel and nothing else. May use: nothing of the server.
 */
@NullMarked
package io.tidemark.server.machine;

import org.jspecify.annotations.NullMarked;
