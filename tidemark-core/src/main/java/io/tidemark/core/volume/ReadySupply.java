package io.tidemark.core.volume;

import java.util.OptionalLong;

/**
 * How far the ready buffer reaches, and whether that is enough: it takes files as cold as the cut-offs say ({@link Intake}), given
 * how full the volume is by now.
 */
final class ReadySupply {
    private final ReadyBuffer ready;
    private final int readyMin;
    private final Cutoffs cutoffs;
    private final Activator activator;
    private final OwnShards shards;

    /**
     * A supply.
     *
     * @param readyMin files ready that are enough
     */
    ReadySupply(ReadyBuffer ready, int readyMin, Cutoffs cutoffs, Activator activator, OwnShards shards) {
        this.ready = ready;
        this.readyMin = readyMin;
        this.cutoffs = cutoffs;
        this.activator = activator;
        this.shards = shards;
    }

    /** A walk begins: what is ready already has become older since the one before. */
    void walkBegins(long nowSeconds) {
        ready.rebase(nowSeconds);
        renew();
        ready.intake().walkBegins(nowSeconds);
    }

    /** A walk has gone over all shards that are ours. */
    void walkEnds(boolean foundAny) {
        ready.intake().walkEnds(foundAny);
    }

    /** Says how cold a file has to be, as far as is known by now. */
    void renew() {
        activator.lastUsage().ifPresent(usage -> ready.intake().until(cutoffs.bufferedSeconds(usage, shards.share())));
    }

    /** Whether enough files are ready for deletion to go on without a walk. */
    boolean enough() {
        return ready.size() >= readyMin && !onlyHotterAreReady();
    }

    /** Whether all that is ready is hotter than what the need reaches by the last walk's count, though old enough to go. */
    private boolean onlyHotterAreReady() {
        OptionalLong youngest = cutoffs.youngestStampSeconds();
        return youngest.isPresent() && !ready.offers(youngest.getAsLong()) && ready.offers(cutoffs.floorSeconds());
    }
}
