package io.tidemark.core.volume;

import java.util.List;
import java.util.Optional;

/**
 * Looks at the volume, switches deletion on and off, and lowers the grant while deletion runs. A volume that does not
 * answer is not deleted from: the grant ends by itself.
 */
final class Activator {
    private final VolumeRoot root;
    private final Governor governor;
    private final Removals removals;
    private final CrawlConductor conductor;
    private final VolumeListener listener;
    private final SweepMode mode;
    private final DeletionGrant grant;
    private volatile Optional<Usage> lastUsage = Optional.empty();
    private volatile String lastError = "";
    private volatile boolean rehearsed;
    private volatile boolean warnedCritical;

    Activator(
            VolumeRoot root,
            Governor governor,
            DeletionGrant grant,
            Removals removals,
            CrawlConductor conductor,
            VolumeListener listener,
            SweepMode mode) {
        this.root = root;
        this.governor = governor;
        this.grant = grant;
        this.removals = removals;
        this.conductor = conductor;
        this.listener = listener;
        this.mode = mode;
    }

    /** Usage as last measured; empty while the volume does not answer. */
    Optional<Usage> lastUsage() {
        return lastUsage;
    }

    /** One look. */
    void look(double share) {
        Optional<Usage> measured = measure();
        lastUsage = measured;
        if (measured.isEmpty() || !conductor.last().ours()) {
            return;
        }
        Usage usage = removals.pretend(measured.get());
        if (rehearsed && usage.percent() >= governor.thresholds().target()) {
            return;
        }
        rehearsed = false;
        switch (governor.observe(usage, share)) {
            case STARTED -> listener.deletionStarted(usage);
            case ENDED -> ended(usage);
            case NONE -> {}
        }
        warnWhenCritical(usage);
    }

    private void ended(Usage usage) {
        listener.deletionEnded(usage);
        List<VolumeFile> files = removals.endRehearsal();
        if (mode != SweepMode.RUN) {
            rehearsed = true;
        }
        if (mode == SweepMode.SHADOW) {
            listener.warn("shadow: would have removed " + files.size() + " files");
        }
    }

    private void warnWhenCritical(Usage usage) {
        if (governor.critical() && !warnedCritical) {
            listener.warn(String.format(
                    "usage %.2f%% is at or above the critical mark of %.1f%%: the coldest files go, however young",
                    usage.percent(), governor.thresholds().critical()));
        }
        warnedCritical = governor.critical();
    }

    /** Measures again between two batches and lowers the grant; false when the volume does not answer. */
    boolean lower(double share) {
        Optional<Usage> measured = measure();
        measured.map(removals::pretend)
                .ifPresent(usage -> grant.lower(governor.needBytes(usage, share), governor.needFiles(usage, share)));
        return measured.isPresent();
    }

    private Optional<Usage> measure() {
        return switch (root.sample()) {
            case VolumeRoot.Sample.Measured(Usage usage) -> {
                lastError = "";
                yield Optional.of(usage);
            }
            case VolumeRoot.Sample.Unavailable(String error) -> {
                if (!error.equals(lastError)) {
                    listener.warn("the volume " + root.mount() + " does not answer: " + error);
                }
                lastError = error;
                yield Optional.empty();
            }
        };
    }
}
