package io.tidemark.core.volume;

import io.tidemark.core.pool.Evictor;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One deleter: drives the evictor while the grant is open, and sends on its way what is due anyhow; of that it keeps what the volume
 * refuses for the moment. One thread; a new one takes the place of one that died.
 */
final class Deleter {
    /** Due files that are held, all of which fail, from which on no more are taken. */
    static final int DUE_MAX = 256;

    private final Evictor<VolumeFile> evictor;
    private final BooleanSupplier allowed;
    private final Supplier<List<VolumeFile>> due;
    private final VolumeRefusals refusals;
    private final Runnable rest;
    private final DeletionGrant grant;
    private final EarlyLook early;
    private final VolumeListener listener;
    /** Due files taken out and not dealt with: the rest of a batch that has ended, and what failed in it. */
    private final HeldFiles taken = new HeldFiles();

    private boolean resting;

    /**
     * A deleter.
     *
     * @param allowed whether files may be removed now
     * @param due takes out files that are due anyhow, as many as may go between two looks at the grant
     * @param rest closes what the evictor's medium keeps open
     * @param early asked for a look when the grant is used up
     */
    Deleter(
            Evictor<VolumeFile> evictor,
            BooleanSupplier allowed,
            Supplier<List<VolumeFile>> due,
            VolumeRefusals refusals,
            Runnable rest,
            DeletionGrant grant,
            EarlyLook early,
            VolumeListener listener) {
        this.evictor = evictor;
        this.allowed = allowed;
        this.due = due;
        this.refusals = refusals;
        this.rest = rest;
        this.grant = grant;
        this.early = early;
        this.listener = listener;
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
                early.ask();
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
        if (!allowed.getAsBoolean()) {
            return false;
        }
        if (taken.list().stream().allMatch(refusals::keeps)) {
            takeMore();
        }
        int most = refusals.lastsLong() ? VolumeRefusals.TRIES : Integer.MAX_VALUE;
        int tried = 0;
        for (VolumeFile file : taken.list()) {
            if (tried == most || refusals.endsBatch()) {
                break;
            }
            evictor.reclaim(file);
            if (refusals.keeps(file)) {
                taken.failed(file);
            } else {
                taken.remove(file);
            }
            tried++;
        }
        if (tried > 0) {
            resting = false;
            listener.batchEnded();
        }
        return tried > 0;
    }

    /** All that has been taken fails. When that is as much as may be held, those that were tried longest ago make way; a walk finds them again. */
    private void takeMore() {
        if (taken.size() >= DUE_MAX) {
            taken.list().stream().limit(VolumeRefusals.TRIES).forEach(file -> {
                refusals.dropped(file);
                taken.remove(file);
            });
        } else {
            due.get().forEach(taken::add);
        }
    }
}
