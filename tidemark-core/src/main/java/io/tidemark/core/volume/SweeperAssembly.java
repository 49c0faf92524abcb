package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.Marks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Builds a sweeper: makes its parts and gives each role those that it uses. What a role needs stands in its
 * constructor. It stays for as long as the sweeper does, behind the functions that it hands out: whether the root is ours,
 * what stays, what files are freed with.
 */
final class SweeperAssembly {
    /** Files that a rehearsal keeps in mind; more if more are kept ready. */
    private static final int REHEARSED_FILES_MAX = 1 << 20;

    private final VolumeConfig config;
    private final Clocks clocks;
    private final VolumeListener listener;
    private final boolean real;
    private final CacheTree tree;
    private final EarlyLook early;
    private final VolumeCounters counters = new VolumeCounters();

    // what has been found
    private final Findings findings;
    private final ReadyBuffer ready;
    private final DueQueue due;
    private final Touches touches = new Touches();
    private final ModelRules rules;
    private final RefusedFiles refused;
    private final VolumeRefusals refusals;
    private final RehearsalBook rehearsal;

    // whether and how fast files may go, and the books of what went
    private final RateLimit rate;
    private final DeletionGrant grant;
    private final JointDeletion joint = new JointDeletion();
    private final Governor governor;
    private final Cutoffs cutoffs;
    private final Removals removals;

    // walks, looks at the volume, and what others have a part in
    private final RankTable ranks;
    private final CrawlBoard board;
    private final Pace pace;
    private final CrawlConductor conductor;
    private final WalkTiming timing;
    private final ShardKeeper keeper;
    private final OwnShards shards;
    private final RecencyWatch recency;
    private final Activator activator;

    SweeperAssembly(
            VolumeConfig config,
            DirectoryCalls calls,
            Clocks clocks,
            Function<byte[], Optional<String>> modelOf,
            VolumeListener listener) {
        this.config = config;
        this.clocks = clocks;
        this.listener = listener;
        real = config.mode() == SweepMode.RUN;
        Layout layout = config.layout();
        VolumeRoot root = new VolumeRoot(calls, config.mount(), config.cacheDirectory(), config.countInodes());
        tree = new CacheTree(calls, root, layout);
        long intervalNanos = TimeUnit.MILLISECONDS.toNanos(config.intervalMillis());
        early = new EarlyLook(clocks, intervalNanos);

        Census census = new Census();
        RehearsedFiles rehearsed = new RehearsedFiles(real ? 0 : Math.max(REHEARSED_FILES_MAX, config.readyBuffer()));
        ready = new ReadyBuffer(
                Math.max(config.readyBuffer(), config.queueMin()),
                ReadyBuffer.LONG_PATHS_MAX,
                clocks.wallMillis() / 1000);
        due = new DueQueue(config.queueMax());
        rate = new RateLimit(clocks, config.filesPerSecondMax());
        rules = new ModelRules(config.ttlSeconds(), config.quotaBytes());
        refused = new RefusedFiles(ready.intake(), listener, clocks);
        refusals = new VolumeRefusals(listener, clocks);
        rehearsal = new RehearsalBook(config.mode(), rehearsed, listener, clocks);
        findings =
                new Findings(census, sorter(rehearsed), folders(), new UnreadFolders(listener::warn, clocks), counters);

        grant = new DeletionGrant(clocks);
        governor = new Governor(config.thresholds(), grant, intervalNanos, joint, clocks);
        cutoffs = new Cutoffs(
                census,
                grant,
                governor,
                ready.intake(),
                this::stayingBytes,
                findings.unread(),
                config.queueMin(),
                clocks);
        removals = new Removals(
                layout,
                grant,
                new GoneFiles(layout, ready, census),
                counters,
                findings.folders(),
                rate,
                refused,
                listener);

        ranks = new RankTable(modelOf);
        board = new CrawlBoard(config.crawlers());
        pace = new Pace(clocks);
        PassSchedule schedule = new PassSchedule(config.passSeconds(), !rules.isEmpty(), config.thresholds(), clocks);
        timing = new WalkTiming(schedule, pace, governor, cutoffs);
        Path own = root.cache().resolve(RootGuard.OWN_FOLDER);
        String id = SweeperId.next();
        keeper = new ShardKeeper(own, id, config.leases() && real, joint, listener, clocks);
        shards = new OwnShards(keeper, layout);
        TouchLog touchLog = new TouchLog(
                root.cache(), touches, () -> real && keeper.digits().contains(0));
        TouchCatchUp catchUp = new TouchCatchUp(touchLog, pace::stopping, listener, clocks);
        conductor = new CrawlConductor(tree, ranks, findings, board, config.adopted(), catchUp::read, clocks);
        recency = new RecencyWatch(
                own, id, real, touchLog, touches, () -> conductor.last().ranks(), listener, clocks);
        activator = new Activator(root, governor, shards, rehearsal, conductor, new Shadow(tree), listener, clocks);
    }

    /** The sweeper. */
    VolumeSweeper sweeper() {
        RootWatch rootWatch =
                new RootWatch(conductor::objection, config.thresholds().cleanup(), listener, clocks);
        StillCauses causes = new StillCauses(
                cutoffs,
                refused,
                refusals,
                findings.unread(),
                findings.sorter(),
                shards,
                tree,
                config.thresholds(),
                clocks);
        StandStill standStill =
                new StandStill(() -> causes.find(activator.lastUsage()), removals::gone, listener, clocks);
        SweeperHealth health = new SweeperHealth(
                config.intervalMillis(),
                activator,
                rootWatch,
                refusals,
                keeper,
                shards,
                conductor,
                standStill,
                board,
                pace);
        ConductorRole conducting =
                new ConductorRole(shards, conductor, harvest(), timing, early, config.intervalMillis(), clocks);
        CrawlerRoles crawlers =
                new CrawlerRoles(config.crawlers(), tree, board, findings, config.folderTtlSeconds(), pace, clocks);
        VolumeSweeper.Roles roles = new VolumeSweeper.Roles(
                new ActivatorRole(early, activator, governor, shards, cutoffs, rootWatch, standStill, timing, clocks),
                conducting,
                crawlers,
                deleters(),
                cleaner(),
                new KeeperRole(tree.root(), recency, keeper, joint, early));
        StatusReport status = new StatusReport(activator, governor, crawlers, ready, counters, recency, shards, health);
        return new VolumeSweeper(
                roles,
                new StopSwitch(pace, board, grant),
                keeper,
                status,
                new MetricsReport(status, counters, findings.unread(), cutoffs, refused, conducting, recency, clocks),
                rehearsal,
                cutoffs,
                health);
    }

    private FileSorter sorter(RehearsedFiles rehearsed) {
        return new FileSorter(
                ready, due, rehearsed, rules, lastUse(), config.thresholds().floorSeconds(), config.orphanSeconds());
    }

    private LastUse lastUse() {
        return new LastUse(config.recency(), touches, config.layout());
    }

    private FolderQueue folders() {
        return new FolderQueue(
                clocks,
                config.folderCleaning() ? config.queueMax() : 0,
                TimeUnit.SECONDS.toNanos(config.folderTtlSeconds()));
    }

    private Harvest harvest() {
        return new Harvest(
                findings,
                rules,
                new ReadySupply(ready, config.queueMin(), cutoffs, activator, shards),
                cutoffs,
                new WalkProgress(governor, removals, refusals),
                new RehearsalReach(rehearsal, ready, cutoffs, activator, early),
                clocks);
    }

    private FolderCleaner cleaner() {
        return new FolderCleaner(
                tree.calls(),
                tree.root(),
                findings.folders(),
                counters,
                clocks,
                config.folderTtlSeconds(),
                () -> real && isOurs());
    }

    private DeleterRoles deleters() {
        Marks marks = new Marks(
                config.thresholds().cleanup() / 100, config.thresholds().target() / 100);
        int batch = Math.max(1, config.batch() / config.deletersMax());
        Outstanding outstanding = new Outstanding();
        List<VolumeSource> sources = Stream.generate(() -> source(outstanding))
                .limit(config.deletersMax())
                .toList();
        return new DeleterRoles(
                sources,
                this::deleterMedium,
                new RemovalGuard(this::isOurs, tree.root(), grant, listener),
                new EvictorSettings(marks, new GrantSpace(marks, grant, cutoffs), batch, clocks),
                new DueFiles(due, rate),
                refusals,
                grant,
                early,
                listener);
    }

    private VolumeSource source(Outstanding outstanding) {
        return new VolumeSource(
                ready,
                ranks,
                grant,
                cutoffs,
                refused,
                refusals,
                rate,
                outstanding,
                activator::lower,
                shards::holds,
                config.queueMax());
    }

    private DeleterMedium deleterMedium(VolumeSource source) {
        return real
                ? DeleterMedium.reclaimer(new FileReclaimer(
                        tree, lastUse(), removals, refusals, pace::stopping, source::settled, source::failed))
                : DeleterMedium.rehearsal(new Rehearsal(rehearsal, removals, source::settled));
    }

    /** Bytes of what is among the coldest and will not go: it refuses, all of it fails for a while, or a rehearsal has had it. */
    private long stayingBytes() {
        return refused.bytes() + refusals.bytes() + rehearsal.sum().bytes();
    }

    /** Whether the root is known to be a cache, of which files may be removed. */
    private boolean isOurs() {
        return conductor.last().ours();
    }
}
