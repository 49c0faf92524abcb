/**
 * The one command {@code tidemark}: its subcommands, help, exit codes and {@code --json} output.
 *
 * <p>May use: every package of the server. Results go to stdout, everything else to stderr.
 */
@NullMarked
package io.tidemark.server.cli;

import org.jspecify.annotations.NullMarked;
