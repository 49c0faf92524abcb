package io.tidemark.server.golden;

import java.util.Optional;

/**
 * What a replay of one file came to.
 *
 * @param cases recorded cases in the file
 * @param ops calls replayed
 * @param mismatches calls whose result differs from the recording in any field
 * @param firstMismatch the first of them, for people
 */
public record GoldenReport(int cases, long ops, long mismatches, Optional<String> firstMismatch) {}
