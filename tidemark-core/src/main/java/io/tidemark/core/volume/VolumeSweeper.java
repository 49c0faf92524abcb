package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Marks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Keeps one shared volume under its mark. Does nothing by itself: each role is a step that a thread of the process makes
 * again and again; steps are bounded in time, keep their state in here, and may be made by a new thread when the one
 * before has died.
 */
public final class VolumeSweeper {
    private final VolumeConfig config;
    private final DirectoryCalls calls;
    private final Clocks clocks;
    private final VolumeListener listener;
    private final VolumeRoot root;
    private final VolumeCounters counters = new VolumeCounters();
    private final RankTable ranks;
    private final Census census = new Census();
    private final DeletionGrant grant;
    private final Governor governor;
    private final Cutoffs cutoffs;
    private final ReadyBuffer ready;
    private final DueQueue due;
    private final FolderQueue folders;
    private final FolderCleaner cleaner;
    private final ModelRules rules;
    private final Touches touches = new Touches();
    private final RateLimit rate;
    private final Outstanding outstanding = new Outstanding();
    private final Removals removals;
    private final CrawlBoard board;
    private final Pace pace = new Pace();
    private final CrawlConductor conductor;
    private final Crawler.Surroundings surroundings;
    private final List<CrawlerStats> crawlerStats;
    private final Activator activator;
    private final PassSchedule schedule;

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
        this.config = config;
        this.calls = calls;
        this.clocks = clocks;
        this.listener = listener;
        root = new VolumeRoot(calls, config.mount(), config.cacheDirectory());
        ranks = new RankTable(modelOf);
        grant = new DeletionGrant(clocks);
        governor = new Governor(config.thresholds(), grant, TimeUnit.MILLISECONDS.toNanos(config.intervalMillis()));
        cutoffs = new Cutoffs(census, grant, governor, clocks);
        ready = new ReadyBuffer(Math.max(config.readyBuffer(), config.queueMin()), nowSeconds());
        due = new DueQueue(config.queueMax());
        long folderWait = TimeUnit.SECONDS.toNanos(config.folderTtlSeconds());
        folders = new FolderQueue(clocks, config.folderCleaning() ? config.queueMax() : 0, folderWait);
        boolean rehearsing = config.mode() != SweepMode.RUN;
        cleaner = new FolderCleaner(calls, root, folders, counters, clocks, config.folderTtlSeconds(), rehearsing);
        rules = new ModelRules(config.ttlSeconds(), config.quotaBytes());
        rate = new RateLimit(clocks, config.filesPerSecondMax());
        removals =
                new Removals(config.mode(), config.layout(), grant, census, counters, folders, rate, listener, clocks);
        board = new CrawlBoard(config.crawlers());
        conductor = new CrawlConductor(
                calls, root, config.layout(), ranks, census, board, folders, counters, listener, config.adopted());
        surroundings = new Crawler.Surroundings(
                calls,
                root,
                config.layout(),
                board,
                census,
                sorter(),
                folders,
                counters,
                clocks,
                pace,
                config.folderTtlSeconds());
        crawlerStats =
                Stream.generate(CrawlerStats::new).limit(config.crawlers()).toList();
        activator = new Activator(root, governor, grant, removals, conductor, listener, config.mode());
        schedule = new PassSchedule(config.passSeconds(), config.thresholds(), clocks);
    }

    private FileSorter sorter() {
        return new FileSorter(
                ready,
                due,
                rules,
                touches,
                config.layout(),
                config.recency(),
                config.thresholds().floorSeconds(),
                config.orphanSeconds());
    }

    private long nowSeconds() {
        return clocks.wallMillis() / 1000;
    }

    /** The digits that are ours to sweep. */
    private Set<Integer> digits() {
        return IntStream.range(0, BucketList.DIGITS).boxed().collect(Collectors.toSet());
    }

    private double share() {
        return (double) digits().size() / BucketList.DIGITS;
    }

    /** Activator: looks at the volume once, and switches deletion on or off. */
    public void activatorStep() {
        activator.look(share());
        activator.lastUsage().ifPresent(usage -> {
            schedule.observe(usage);
            pace.urgent(governor.on() || !cutoffs.estimate().whole() || schedule.nearMark());
        });
    }

    /** Conductor: makes one walk, then waits until the next is due. */
    public void conductorStep() throws InterruptedException {
        ready.rebase(nowSeconds());
        long started = clocks.monotonicNanos();
        conductor.begin(config.layout().levels() == 0 ? Set.of(0) : digits());
        while (!conductor.awaitEnd(config.intervalMillis()) && !pace.stopping()) {
            admit();
        }
        admit();
        if (conductor.last().problem().isEmpty()) {
            counters.passDone();
        }
        rules.recount(conductor.last().ranks(), census, nowSeconds(), share());
        boolean whole =
                conductor.last().problem().isEmpty() && cutoffs.estimate().whole();
        schedule.passEnded(clocks.monotonicNanos() - started, whole);
        while (!pace.stopping() && !schedule.due(governor.on(), governor.on() && ready.size() >= config.queueMin())) {
            TimeUnit.MILLISECONDS.sleep(Math.min(config.intervalMillis(), 100));
        }
    }

    private void admit() {
        activator.lastUsage().ifPresent(usage -> ready.admitUntil(cutoffs.admittedSeconds(usage, share())));
    }

    /** A crawler's role; made once per thread. */
    public RoleStep crawler(int number) {
        Crawler crawler = new Crawler(number, surroundings, crawlerStats.get(number));
        return crawler::step;
    }

    /** A deleter's role; made once per thread. */
    public RoleStep deleter() {
        DeleterParts parts = new DeleterParts();
        Deleter deleter = new Deleter(
                parts.source,
                parts.medium,
                parts.rest,
                new GrantSpace(marks(), grant, cutoffs),
                marks(),
                grant,
                due,
                rate,
                listener,
                Math.max(1, config.batch() / config.deletersMax()),
                clocks);
        return () -> {
            if (deleter.step() == Deleter.Step.IDLE) {
                TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
            }
        };
    }

    private static final long IDLE_MILLIS = 20;

    private Marks marks() {
        return new Marks(
                config.thresholds().cleanup() / 100, config.thresholds().target() / 100);
    }

    /** The source and the medium of one deleter, each knowing the other. */
    private final class DeleterParts {
        private final VolumeSource source = new VolumeSource(
                ready,
                ranks,
                grant,
                cutoffs,
                removals,
                rate,
                outstanding,
                () -> activator.lower(share()),
                config.queueMax());
        private final Reclaimable<VolumeFile> medium;
        private final Runnable rest;

        DeleterParts() {
            if (config.mode() == SweepMode.RUN) {
                FileReclaimer reclaimer = new FileReclaimer(
                        calls, root, config.layout(), config.recency(), touches, removals, clocks, source::settled);
                medium = reclaimer;
                rest = reclaimer::rest;
            } else {
                medium = new Rehearsal(removals, source::settled);
                rest = () -> {};
            }
        }
    }

    /** Folder cleaner: looks at folders whose time has come; false when there was none. */
    public boolean folderStep() {
        return cleaner.step();
    }

    /** One bounded step of a role. */
    @FunctionalInterface
    public interface RoleStep {
        /** Makes the step; may wait up to half a second. */
        void run() throws InterruptedException;
    }

    /** Ends all waits of the crawlers and takes back the right to delete; from here on nothing is removed. */
    public void stop() {
        grant.revoke();
        pace.stop();
        board.cancel();
    }

    /** What is going on, for people. */
    public VolumeStatus status() {
        return new VolumeStatus(
                activator.lastUsage(),
                governor.on(),
                config.thresholds(),
                crawlerStats.stream().map(CrawlerStats::read).toList(),
                ready.size(),
                counters.files(),
                counters.bytes(),
                counters.folders(),
                counters.passes(),
                conductor.last().problem());
    }

    /** Shows all counters. */
    public void counters(CounterVisitor visitor) {
        counters.counters(visitor);
    }
}
