package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.VictimSource;
import io.tidemark.core.pool.Claim;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.Evictor;
import io.tidemark.core.pool.Marks;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One deleter: drives the evictor while the grant is open, and sends on its way what is due anyhow. One thread; a new
 * one takes the place of one that died.
 */
final class Deleter {
    /** Files due that go between two looks at the grant. */
    private static final int DUE_BATCH = 256;

    private final Evictor<VolumeFile> evictor;
    private final DeletionGrant grant;
    private final DueQueue due;
    private final RateLimit rate;
    private final VolumeListener listener;
    private final Runnable rest;
    private final BooleanSupplier ours;
    private final EarlyLook look;
    private boolean resting;

    /**
     * A deleter.
     *
     * @param rest closes what the medium keeps open
     * @param ours whether the root is known to be a cache, and is the one that was looked at; nothing is removed before
     * @param look asked for when the grant is used up
     */
    Deleter(
            VictimSource<VolumeFile> source,
            Reclaimable<VolumeFile> medium,
            Runnable rest,
            GrantSpace space,
            Marks marks,
            DeletionGrant grant,
            DueQueue due,
            RateLimit rate,
            VolumeListener listener,
            int batch,
            BooleanSupplier ours,
            EarlyLook look,
            Clocks clocks) {
        this.look = look;
        this.grant = grant;
        this.due = due;
        this.rate = rate;
        this.listener = listener;
        this.rest = rest;
        this.ours = ours;
        this.evictor = new Evictor<>(
                marks, space, source, file -> new Claim.Free<>(List.of(file)), medium, batch, () -> {}, clocks);
    }

    /** What a step came to. */
    enum Step {
        /** Something went; more may be there. */
        BUSY,
        /** Nothing to do, or nothing that could go: worth a wait. */
        IDLE
    }

    /** Frees what is due, then what the grant asks for as far as files are ready. */
    Step step() {
        boolean some = freeDue();
        if (grant.open()) {
            resting = false;
            Evictor.Pass pass = evictor.pass();
            listener.batchEnded();
            some |= pass == Evictor.Pass.COVERED;
            if (!grant.open()) {
                rest();
                look.ask();
            }
        }
        if (!some) {
            rest();
        }
        return some ? Step.BUSY : Step.IDLE;
    }

    /** Closes what is kept open before the end of deletion can be told: who hears of it may unmount the volume. */
    private void rest() {
        if (!resting) {
            rest.run();
            resting = true;
        }
    }

    private boolean freeDue() {
        List<VolumeFile> files = ours.getAsBoolean() ? due.drain(rate.allow(DUE_BATCH)) : List.of();
        files.forEach(evictor::reclaim);
        if (!files.isEmpty()) {
            resting = false;
            listener.batchEnded();
        }
        return !files.isEmpty();
    }
}
