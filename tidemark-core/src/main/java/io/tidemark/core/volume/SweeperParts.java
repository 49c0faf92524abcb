package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/** The parts of a sweeper, wired. The roles share them; what is here outlives the thread of any role. */
final class SweeperParts {
    /** Files that a rehearsal keeps in mind; more if more are kept ready. */
    private static final int REHEARSED_FILES_MAX = 1 << 20;

    final VolumeConfig config;
    final DirectoryCalls calls;
    final Clocks clocks;
    final VolumeListener listener;
    final VolumeRoot root;
    final VolumeCounters counters = new VolumeCounters();
    final RankTable ranks;

    // what has been found
    final Census census = new Census();
    final ReadyBuffer ready;
    final DueQueue due;
    final Touches touches = new Touches();
    final ModelRules rules;
    final RehearsalBook rehearsal;
    final RecencyWatch recency;
    final FileSorter sorter;
    final Cutoffs cutoffs;

    // whether and how fast files may go, and the books of what went
    final DeletionGrant grant;
    final JointDeletion joint = new JointDeletion();
    final Governor governor;
    final RateLimit rate;
    final Outstanding outstanding = new Outstanding();
    final RefusedFiles refused;
    final Removals removals;
    final FolderCleaner cleaner;

    // walks, and looks at the volume
    final CrawlBoard board;
    final Pace pace;
    final CrawlConductor conductor;
    final PassSchedule schedule;
    final Crawler.Surroundings surroundings;
    final List<CrawlerStats> crawlerStats;
    final EarlyLook early;
    final Activator activator;

    // the other sweepers, and what stands in the way
    final ShardKeeper keeper;
    final OwnShards shards;
    final RootWatch rootWatch;
    final StandStill standStill;
    final SweeperHealth health;

    SweeperParts(
            VolumeConfig config,
            DirectoryCalls calls,
            Clocks clocks,
            Function<byte[], Optional<String>> modelOf,
            VolumeListener listener) {
        this.config = config;
        this.calls = calls;
        this.clocks = clocks;
        this.listener = listener;
        boolean real = config.mode() == SweepMode.RUN;
        long intervalNanos = TimeUnit.MILLISECONDS.toNanos(config.intervalMillis());
        root = new VolumeRoot(calls, config.mount(), config.cacheDirectory(), config.countInodes());
        ranks = new RankTable(modelOf);
        grant = new DeletionGrant(clocks);
        early = new EarlyLook(clocks, intervalNanos);
        governor = new Governor(config.thresholds(), grant, intervalNanos, joint, clocks);
        ready = new ReadyBuffer(Math.max(config.readyBuffer(), config.queueMin()), nowSeconds());
        due = new DueQueue(config.queueMax());
        FolderQueue folders = new FolderQueue(
                clocks,
                config.folderCleaning() ? config.queueMax() : 0,
                TimeUnit.SECONDS.toNanos(config.folderTtlSeconds()));
        rules = new ModelRules(config.ttlSeconds(), config.quotaBytes());
        rate = new RateLimit(clocks, config.filesPerSecondMax());
        refused = new RefusedFiles(listener, clocks);
        removals = new Removals(config.layout(), grant, census, counters, folders, rate, refused, listener);
        RehearsedFiles rehearsed = new RehearsedFiles(real ? 0 : Math.max(REHEARSED_FILES_MAX, config.readyBuffer()));
        rehearsal = new RehearsalBook(config.mode(), rehearsed, listener, clocks);
        cutoffs = new Cutoffs(census, grant, governor, this::stayingBytes, config.queueMin(), clocks);
        sorter = sorter(rehearsed);
        board = new CrawlBoard(config.crawlers());
        pace = new Pace(clocks);
        conductor = new CrawlConductor(
                calls, root, config.layout(), ranks, census, board, folders, counters, config.adopted(), clocks);
        Path own = root.cache().resolve(RootGuard.OWN_FOLDER);
        String id = SweeperId.next();
        keeper = new ShardKeeper(own, id, config.leases() && real, joint, listener, clocks);
        TouchLog touchLog = new TouchLog(
                root.cache(), touches, () -> real && keeper.digits().contains(0));
        recency =
                new RecencyWatch(own, id, real, touchLog, () -> conductor.last().ranks(), listener, clocks);
        shards = new OwnShards(keeper, config.layout());
        cleaner = new FolderCleaner(
                calls, root, folders, counters, clocks, config.folderTtlSeconds(), !real, this::isOurs);
        surroundings = surroundings(folders);
        crawlerStats =
                Stream.generate(CrawlerStats::new).limit(config.crawlers()).toList();
        activator = new Activator(
                root, governor, rehearsal, conductor, new Shadow(calls, root), listener, config.mode(), clocks);
        rootWatch = new RootWatch(conductor::objection, config.thresholds().cleanup(), listener, clocks);
        StillCauses causes =
                new StillCauses(cutoffs, refused, sorter, shards, root, config.layout(), config.thresholds(), clocks);
        standStill = new StandStill(() -> causes.find(activator.lastUsage()), removals::gone, listener, clocks);
        health = new SweeperHealth(
                config.intervalMillis(), activator, rootWatch, keeper, shards, conductor, standStill, board, pace);
        schedule = new PassSchedule(config.passSeconds(), !rules.isEmpty(), config.thresholds(), clocks);
    }

    private FileSorter sorter(RehearsedFiles rehearsed) {
        return new FileSorter(
                ready,
                due,
                rehearsed,
                rules,
                touches,
                config.layout(),
                config.recency(),
                config.thresholds().floorSeconds(),
                config.orphanSeconds());
    }

    private Crawler.Surroundings surroundings(FolderQueue folders) {
        return new Crawler.Surroundings(
                calls,
                root,
                config.layout(),
                board,
                census,
                sorter,
                folders,
                counters,
                clocks,
                pace,
                config.folderTtlSeconds());
    }

    /** Bytes of what is among the coldest and will not go: it refuses, or a rehearsal has had it. */
    private long stayingBytes() {
        return refused.bytes() + rehearsal.sum().bytes();
    }

    /** Whether the root is known to be a cache, of which files may be removed. */
    boolean isOurs() {
        return conductor.last().ours();
    }

    long nowSeconds() {
        return clocks.wallMillis() / 1000;
    }
}
