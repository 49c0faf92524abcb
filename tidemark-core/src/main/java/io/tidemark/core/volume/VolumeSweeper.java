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

    private final SweeperParts parts;
    private final ActivatorRole activator;
    private final ConductorRole conductor;
    private final DeleterRoles deleters;
    private final KeeperRole keeper;

    /**
     * A sweeper.
     *
     * @param modelOf reads the name of the model for a rank directory, given its path below the root of the cache
     */
    public VolumeSweeper(
            VolumeConfig config,
            DirectoryCalls calls,
            Clocks clocks,
            Function<byte[], Optional<String>> modelOf,
            VolumeListener listener) {
        parts = new SweeperParts(config, calls, clocks, modelOf, listener);
        activator = new ActivatorRole(parts);
        conductor = new ConductorRole(parts);
        deleters = new DeleterRoles(parts);
        keeper = new KeeperRole(parts);
    }

    /** One bounded step of a role. */
    @FunctionalInterface
    public interface RoleStep {
        /** Makes the step; may wait up to half a second. */
        void run() throws InterruptedException;
    }

    /** Activator: waits until a look at the volume is due, half a second at most, and switches deletion on or off. */
    public void activatorStep() throws InterruptedException {
        activator.step(STEP_MILLIS);
    }

    /** Conductor: makes one walk, then waits until the next is due. */
    public void conductorStep() throws InterruptedException {
        conductor.step();
    }

    /** A crawler's role; made once per thread. */
    public RoleStep crawler(int number) {
        Crawler crawler = new Crawler(number, parts.surroundings, parts.crawlerStats.get(number));
        return crawler::step;
    }

    /**
     * A deleter's role; made once per thread. What its predecessor had taken from the buffer is taken over.
     *
     * @param number from 0 up to the number of deleters
     */
    public RoleStep deleter(int number) {
        return deleters.role(number);
    }

    /** Folder cleaner: looks at folders whose time has come; false when there was none. */
    public boolean folderStep() {
        return parts.cleaner.step();
    }

    /** Keeper: leases, touch logs, the probe of the mount. */
    public void keeperStep() {
        keeper.step();
    }

    /**
     * Ends all waits of the crawlers and takes back the right to delete; from here on nothing is removed but the file that
     * each deleter is at.
     */
    public void stop() {
        parts.pace.stop();
        parts.grant.revoke();
        parts.board.cancel();
    }

    /** Gives up the shares of the volume that were ours; after {@link #stop}. */
    public void release() {
        parts.keeper.release();
    }

    /** What is going on, for people. */
    public VolumeStatus status() {
        return new VolumeStatus(
                parts.activator.lastUsage(),
                parts.governor.on(),
                parts.config.thresholds(),
                parts.crawlerStats.stream().map(CrawlerStats::read).toList(),
                parts.ready.size(),
                parts.counters.files(),
                parts.counters.bytes(),
                parts.counters.folders(),
                parts.counters.passes(),
                parts.recency.source(),
                (int) Math.round(parts.shards.share() * BucketList.DIGITS),
                parts.health.problem());
    }

    /** What the dry run or shadow that goes on would have removed; nothing once it has been told, or in earnest. */
    public RehearsalSum rehearsal() {
        return parts.rehearsal.sum();
    }

    /** Bytes by age, as of the last walk. */
    public List<AgeShare> ages() {
        return parts.cutoffs.estimate().shares();
    }

    /** Why the sweeper does not do its work now: the volume does not answer, or a walk is stuck; empty when it does. */
    public String unready() {
        return parts.health.unready();
    }

    /** Shows all counters. */
    public void counters(CounterVisitor visitor) {
        parts.counters.counters(visitor);
        new VolumeGauges(status(), parts.cutoffs.estimate(), conductor.passNanos(), parts.refused.count())
                .show(visitor, parts.nowSeconds(), parts.cutoffs.youngestSeconds());
    }
}
