/**
 * What the machine says: memory that this process may use, where a directory lies, who holds an address, which signals
 * came; and its timer that ends the process.
 *
 * <p>Of the file system it reads files of the kernel and nothing else. May use: nothing of the server.
 */
@NullMarked
package io.tidemark.server.machine;

import org.jspecify.annotations.NullMarked;
