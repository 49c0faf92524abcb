package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the volume, switches deletion on and off, and lowers the grant while deletion runs. A volume that does not
 * answer is not deleted from: the grant ends by itself.
 */
final class Activator {
    private final VolumeRoot root;
    private final Governor governor;
    private final OwnShards shards;
    private final RehearsalBook rehearsal;
    private final CrawlConductor conductor;
    private final VolumeListener listener;
    private final SweepMode mode;
    private volatile Optional<Usage> lastUsage = Optional.empty();
    private volatile boolean rehearsed;
    private volatile boolean exhausted;
    private volatile boolean warnedCritical;
    private final Shadow shadow;
    private final Outage outage;
    private final Clocks clocks;
    private volatile List<VolumeFile> shadowed = List.of();
    private volatile long lookedNanos;

    Activator(
            VolumeRoot root,
            Governor governor,
            OwnShards shards,
            RehearsalBook rehearsal,
            CrawlConductor conductor,
            Shadow shadow,
            VolumeListener listener,
            Clocks clocks) {
        this.root = root;
        this.governor = governor;
        this.shards = shards;
        this.rehearsal = rehearsal;
        this.conductor = conductor;
        this.listener = listener;
        this.mode = rehearsal.mode();
        this.shadow = shadow;
        this.outage = new Outage(root.mount().toString(), listener, clocks);
        this.clocks = clocks;
        this.lookedNanos = clocks.monotonicNanos();
    }

    /** Usage as last measured; empty while the volume does not answer. */
    Optional<Usage> lastUsage() {
        return lastUsage;
    }

    /** Why it does not, in words; empty when it does, and before the first look. */
    String outage() {
        return outage.why();
    }

    /** Measures the volume: the first half of a look. */
    void measure() {
        lastUsage = sample();
        lookedNanos = clocks.monotonicNanos();
    }

    /** Switches deletion on or off by what was measured: the second half, once everything that limits what may go knows of it. */
    void decide() {
        double share = shards.share();
        Optional<Usage> measured = lastUsage;
        if (measured.isEmpty() || !conductor.last().ours()) {
            return;
        }
        Usage usage = rehearsal.pretend(measured.get());
        if (rehearsed && usage.percent() >= governor.thresholds().target()) {
            return;
        }
        endRehearsal();
        switch (governor.observe(usage, share)) {
            case STARTED -> {
                exhausted = false;
                listener.deletionStarted(usage);
            }
            case ENDED -> ended(measured.get(), usage, RehearsalEnd.AT_TARGET);
            case NONE -> giveUp(measured.get(), usage);
        }
        warnWhenCritical(usage);
    }

    /** Says that a whole walk has found nothing more that may go. */
    void nothingMore() {
        exhausted = true;
    }

    /** Ends a rehearsal that cannot come to the target: it would list nothing more, or nothing that it can tell from what it has listed. */
    private void giveUp(Usage measured, Usage usage) {
        boolean full = rehearsal.isFull();
        if (mode != SweepMode.RUN && governor.on() && (exhausted || full)) {
            governor.end();
            ended(measured, usage, full ? RehearsalEnd.TOO_MANY : RehearsalEnd.OUT_OF_REACH);
        }
    }

    private void ended(Usage measured, Usage usage, RehearsalEnd end) {
        if (mode == SweepMode.RUN) {
            listener.deletionEnded(usage);
        } else {
            listener.rehearsalEnded(measured, usage, rehearsal.sum(), end);
        }
        List<VolumeFile> files = rehearsal.end();
        rehearsed = mode != SweepMode.RUN;
        shadowed = mode == SweepMode.SHADOW ? files : List.of();
    }

    /** Once another evictor, or nobody, has brought the volume to its target, a rehearsal may begin again. */
    private void endRehearsal() {
        if (rehearsed) {
            rehearsal.begin();
        }
        rehearsed = false;
        if (!shadowed.isEmpty()) {
            listener.warn(shadow.compare(shadowed));
            shadowed = List.of();
        }
    }

    /** Time since the volume was last looked at, whether it answered or not. */
    long sinceLookNanos() {
        return clocks.monotonicNanos() - lookedNanos;
    }

    private void warnWhenCritical(Usage usage) {
        if (governor.critical() && !warnedCritical) {
            listener.warn(String.format(
                    "usage %.2f%% is at or above the critical mark of %.1f%%: the coldest files %s, however young",
                    usage.percent(), governor.thresholds().critical(), mode == SweepMode.RUN ? "go" : "would go"));
        }
        warnedCritical = governor.critical();
    }

    /** Measures again between two batches and lowers the grant; false when the volume does not answer. */
    boolean lower() {
        double share = shards.share();
        Optional<Usage> measured = sample();
        measured.map(rehearsal::pretend).ifPresent(usage -> governor.lower(usage, share));
        return measured.isPresent();
    }

    private Optional<Usage> sample() {
        return switch (root.sample()) {
            case VolumeRoot.Sample.Measured(Usage usage) -> {
                outage.answered();
                yield Optional.of(usage);
            }
            case VolumeRoot.Sample.Unavailable(String why) -> {
                outage.away(why);
                yield Optional.empty();
            }
        };
    }
}
