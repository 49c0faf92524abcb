package io.tidemark.index.prefix.golden;

import io.tidemark.index.prefix.HostOptions;

/**
 * The host tier of a recorded case.
 *
 * @param options its policy and thresholds
 * @param capacity its pool in units
 */
public record GoldenHost(HostOptions options, long capacity) {}
