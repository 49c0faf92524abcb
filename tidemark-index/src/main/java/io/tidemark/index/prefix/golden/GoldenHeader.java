package io.tidemark.index.prefix.golden;

import io.tidemark.index.prefix.TreePolicy;
import java.util.Optional;

/**
 * The settings of a recorded case.
 *
 * @param policy eviction policy
 * @param sessions whether sessions are part of the key
 * @param pageSize page size
 * @param capacity device pool in units
 * @param bigram whether keys are bigrams
 * @param events whether results carry events
 * @param host the host tier, if the case has one
 */
public record GoldenHeader(
        TreePolicy policy,
        boolean sessions,
        int pageSize,
        long capacity,
        boolean bigram,
        boolean events,
        Optional<GoldenHost> host) {}
