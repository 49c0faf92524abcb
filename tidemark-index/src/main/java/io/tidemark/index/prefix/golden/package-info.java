/**
 * Replays recorded calls of a prefix tree and says what the tree answers, in the words of the recording. Reading the
 * files is left to the caller: a library without dependencies parses no JSON. May use: {@code prefix}.
 */
@NullMarked
package io.tidemark.index.prefix.golden;

import org.jspecify.annotations.NullMarked;
