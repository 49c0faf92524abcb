package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps one shared volume under its mark. Does nothing by itself: each role is a step that a thread of the process makes
 * again and again; steps are bounded in time, keep their state in here, and may be made by a new thread when the one
 * before has died.
 */
public final class VolumeSweeper {
    /** Longest wait of a step. */
    private static final long STEP_MILLIS = 500;

    private final Roles roles;
    private final StopSwitch stopSwitch;
    private final ShardKeeper keeper;
    private final StatusReport status;
    private final MetricsReport metrics;
    private final RehearsalBook rehearsal;
    private final Cutoffs cutoffs;
    private final SweeperHealth health;

    VolumeSweeper(
            Roles roles,
            StopSwitch stopSwitch,
            ShardKeeper keeper,
            StatusReport status,
            MetricsReport metrics,
            RehearsalBook rehearsal,
            Cutoffs cutoffs,
            SweeperHealth health) {
        this.roles = roles;
        this.stopSwitch = stopSwitch;
        this.keeper = keeper;
        this.status = status;
        this.metrics = metrics;
        this.rehearsal = rehearsal;
        this.cutoffs = cutoffs;
        this.health = health;
    }

    /**
     * A sweeper.
     *
     * @param modelOf reads the name of the model for a rank directory, given its path below the root of the cache
     */
    public static VolumeSweeper of(
            VolumeConfig config,
            DirectoryCalls calls,
            Clocks clocks,
            Function<byte[], Optional<String>> modelOf,
            VolumeListener listener) {
        return new SweeperAssembly(config, calls, clocks, modelOf, listener).sweeper();
    }

    /** Those who make the steps. */
    record Roles(
            ActivatorRole activator,
            ConductorRole conductor,
            CrawlerRoles crawlers,
            DeleterRoles deleters,
            FolderCleaner cleaner,
            KeeperRole keeper) {}

    /** One bounded step of a role. */
    @FunctionalInterface
    public interface RoleStep {
        /** Makes the step; may wait up to half a second. */
        void run() throws InterruptedException;
    }

    /** Activator: waits until a look at the volume is due, half a second at most, and switches deletion on or off. */
    public void activatorStep() throws InterruptedException {
        roles.activator.step(STEP_MILLIS);
    }

    /** Conductor: makes one walk, then waits until the next is due. */
    public void conductorStep() throws InterruptedException {
        roles.conductor.step();
    }

    /** A crawler's role; made once per thread. */
    public RoleStep crawler(int number) {
        return roles.crawlers.role(number)::step;
    }

    /**
     * A deleter's role; made once per thread. What its predecessor had taken from the buffer is taken over.
     *
     * @param number from 0 up to the number of deleters
     */
    public RoleStep deleter(int number) {
        return roles.deleters.role(number);
    }

    /** Folder cleaner: looks at folders whose time has come; false when there was none. */
    public boolean folderStep() {
        return roles.cleaner.step();
    }

    /** Keeper: leases, touch logs, the probe of the mount. */
    public void keeperStep() {
        roles.keeper.step();
    }

    /**
     * Ends all waits of the crawlers and takes back the right to delete; from here on nothing is removed but the file that
     * each deleter is at.
     */
    public void stop() {
        stopSwitch.stop();
    }

    /** Gives up the shares of the volume that were ours; after {@link #stop}. */
    public void release() {
        keeper.release();
    }

    /** What is going on, for people. */
    public VolumeStatus status() {
        return status.now();
    }

    /** Whether it removes what it finds. */
    public SweepMode mode() {
        return rehearsal.mode();
    }

    /** What the dry run or shadow that goes on would have removed; nothing once it has been told, or in earnest. */
    public RehearsalSum rehearsal() {
        return rehearsal.sum();
    }

    /** Bytes by age, as of the last walk. */
    public List<AgeShare> ages() {
        return cutoffs.estimate().shares();
    }

    /** Why the sweeper does not do its work now: the volume does not answer, or a walk is stuck; empty when it does. */
    public String unready() {
        return health.unready();
    }

    /** Shows all counters. */
    public void counters(CounterVisitor visitor) {
        metrics.show(visitor);
    }
}
