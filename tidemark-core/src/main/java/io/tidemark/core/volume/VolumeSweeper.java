package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.VictimSource;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Marks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Keeps one shared volume under its mark. Does nothing by itself: each role is a step that a thread of the process makes
 * again and again; steps are bounded in time, keep their state in here, and may be made by a new thread when the one
 * before has died.
 */
public final class VolumeSweeper {
    private static final long IDLE_MILLIS = 20;
    private static final long CONDUCTOR_MILLIS = 100;

    /** Longest wait of a step. */
    private static final long STEP_MILLIS = 500;

    /** Files that a rehearsal keeps in mind; more if more are kept ready. */
    private static final int REHEARSED_FILES_MAX = 1 << 20;

    private final VolumeConfig config;
    private final DirectoryCalls calls;
    private final Clocks clocks;
    private final VolumeListener listener;
    private final VolumeRoot root;
    private final VolumeCounters counters = new VolumeCounters();
    private final RankTable ranks;
    private final Census census = new Census();
    private final DeletionGrant grant;
    private final JointDeletion joint = new JointDeletion();
    private final Governor governor;
    private final Cutoffs cutoffs;
    private final ReadyBuffer ready;
    private final DueQueue due;
    private final FolderCleaner cleaner;
    private final ModelRules rules;
    private final Touches touches = new Touches();
    private final RateLimit rate;
    private final Outstanding outstanding = new Outstanding();
    private final EarlyLook look;
    private final Removals removals;
    private final RehearsedFiles rehearsed;
    private final FileSorter sorter;
    private final Map<Integer, DeleterMedium> media = new ConcurrentHashMap<>();
    private final CrawlBoard board;
    private final Pace pace;
    private final CrawlConductor conductor;
    private final Crawler.Surroundings surroundings;
    private final List<CrawlerStats> crawlerStats;
    private final Activator activator;
    private final List<VolumeSource> sources;
    private final PassSchedule schedule;
    private final Keeper keeper;
    private final OwnShards shards;
    private final SweeperHealth health;
    private final RootWatch rootWatch;
    private final StandStill standStill;
    private volatile long passNanos;

    /** Files removed up to the end of the walk before; the conductor's. */
    private volatile long removedBefore;

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
        root = new VolumeRoot(calls, config.mount(), config.cacheDirectory(), config.countInodes());
        ranks = new RankTable(modelOf);
        grant = new DeletionGrant(clocks);
        long intervalNanos = TimeUnit.MILLISECONDS.toNanos(config.intervalMillis());
        look = new EarlyLook(clocks, intervalNanos);
        governor = new Governor(config.thresholds(), grant, intervalNanos, joint, clocks);
        ready = new ReadyBuffer(Math.max(config.readyBuffer(), config.queueMin()), nowSeconds());
        due = new DueQueue(config.queueMax());
        FolderQueue folders = new FolderQueue(
                clocks,
                config.folderCleaning() ? config.queueMax() : 0,
                TimeUnit.SECONDS.toNanos(config.folderTtlSeconds()));
        boolean real = config.mode() == SweepMode.RUN;
        rules = new ModelRules(config.ttlSeconds(), config.quotaBytes());
        rate = new RateLimit(clocks, config.filesPerSecondMax());
        rehearsed = new RehearsedFiles(real ? 0 : Math.max(REHEARSED_FILES_MAX, config.readyBuffer()));
        removals = new Removals(
                config.mode(), config.layout(), grant, census, counters, folders, rate, rehearsed, listener, clocks);
        cutoffs = new Cutoffs(census, grant, governor, this::stayingBytes, config.queueMin(), clocks);
        sorter = sorter();
        board = new CrawlBoard(config.crawlers());
        pace = new Pace(clocks);
        conductor = new CrawlConductor(
                calls, root, config.layout(), ranks, census, board, folders, counters, config.adopted(), clocks);
        keeper = new Keeper(
                root, touches, () -> conductor.last().ranks(), listener, clocks, joint, config.leases(), real);
        shards = new OwnShards(keeper, config.layout());
        cleaner = new FolderCleaner(
                calls, root, folders, counters, clocks, config.folderTtlSeconds(), !real, this::isOurs);
        surroundings = new Crawler.Surroundings(
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
        crawlerStats =
                Stream.generate(CrawlerStats::new).limit(config.crawlers()).toList();
        activator = new Activator(
                root, governor, removals, conductor, new Shadow(calls, root), listener, config.mode(), clocks);
        sources = Stream.generate(this::source).limit(config.deletersMax()).toList();
        rootWatch = new RootWatch(conductor::objection, config.thresholds().cleanup(), listener, clocks);
        StillCauses causes =
                new StillCauses(cutoffs, removals, sorter, shards, root, config.layout(), config.thresholds(), clocks);
        standStill = new StandStill(() -> causes.find(activator.lastUsage()), removals::gone, listener, clocks);
        health = new SweeperHealth(
                config.intervalMillis(), activator, rootWatch, keeper, shards, conductor, standStill, board, pace);
        schedule = new PassSchedule(config.passSeconds(), !rules.isEmpty(), config.thresholds(), clocks);
    }

    private FileSorter sorter() {
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

    /** Bytes of what is among the coldest and will not go: it refuses, or a rehearsal has had it. */
    private long stayingBytes() {
        return removals.parkedBytes() + removals.rehearsal().bytes();
    }

    private boolean isOurs() {
        return conductor.last().ours();
    }

    private long nowSeconds() {
        return clocks.wallMillis() / 1000;
    }

    /** Activator: waits until a look at the volume is due, half a second at most, and switches deletion on or off. */
    public void activatorStep() throws InterruptedException {
        if (look.await(STEP_MILLIS)) {
            look();
        }
    }

    private void look() {
        long began = clocks.monotonicNanos();
        activator.look(shards.share());
        long took = clocks.monotonicNanos() - began;
        rootWatch.observe(activator.lastUsage());
        standStill.observe(governor.on() && grant.open());
        activator.lastUsage().ifPresent(usage -> {
            schedule.observe(usage);
            look.looked(!governor.on() && schedule.justBelowMark(), took);
            pace.urgent(governor.on() || !cutoffs.estimate().whole() || schedule.nearMark());
        });
    }

    /** Conductor: makes one walk, then waits until the next is due. */
    public void conductorStep() throws InterruptedException {
        Set<Integer> digits = shards.ours();
        if (digits.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(CONDUCTOR_MILLIS);
            return;
        }
        ready.rebase(nowSeconds());
        long started = clocks.monotonicNanos();
        sorter.walkBegins();
        conductor.begin(digits, config.folderCleaning(), true);
        look.ask();
        while (!conductor.awaitEnd(Math.min(config.intervalMillis(), CONDUCTOR_MILLIS)) && !pace.stopping()) {
            admit();
        }
        passEnded(started, shards.share(digits));
        while (!pace.stopping() && !isPassDue() && shards.ours().equals(digits)) {
            TimeUnit.MILLISECONDS.sleep(Math.min(config.intervalMillis(), CONDUCTOR_MILLIS));
        }
    }

    /** Takes in what a walk has found, over the part of the volume that it went over. */
    private void passEnded(long startedNanos, double walkedShare) {
        Estimate counted = cutoffs.renew();
        long removed = removals.gone();
        boolean fruitless = governor.on() && removed == removedBefore;
        cutoffs.walked(fruitless);
        removedBefore = removed;
        admit();
        passNanos = clocks.monotonicNanos() - startedNanos;
        boolean walked = conductor.last().problem().isEmpty();
        if (walked) {
            counters.passDone();
        }
        if (walked && counted.whole() && !pace.stopping()) {
            rehearsalWalked(fruitless);
        }
        rules.recount(conductor.last().ranks(), census, nowSeconds(), walkedShare);
        schedule.passEnded(passNanos, walked && counted.whole());
    }

    private void rehearsalWalked(boolean fruitless) {
        rehearsed.walkEnded();
        OptionalLong youngest = cutoffs.youngestStampSeconds();
        if (fruitless && youngest.isPresent() && !ready.offers(youngest.getAsLong())) {
            activator.nothingMore();
            look.ask();
        }
    }

    private boolean isPassDue() {
        return schedule.due(governor.on(), ready.size() >= config.queueMin());
    }

    private void admit() {
        activator.lastUsage().ifPresent(usage -> ready.admitUntil(cutoffs.admittedSeconds(usage, shards.share())));
    }

    /** A crawler's role; made once per thread. */
    public RoleStep crawler(int number) {
        Crawler crawler = new Crawler(number, surroundings, crawlerStats.get(number));
        return crawler::step;
    }

    /**
     * A deleter's role; made once per thread. What its predecessor had taken from the buffer is taken over.
     *
     * @param number from 0 up to the number of deleters
     */
    public RoleStep deleter(int number) {
        VolumeSource source = sources.get(number);
        DeleterMedium medium = medium(source);
        DeleterMedium before = media.put(number, medium);
        if (before != null) {
            // its thread has died
            before.rest.run();
        }
        BooleanSupplier mayRemove = () -> isOurs() && isStillThere(medium);
        Marks marks = new Marks(
                config.thresholds().cleanup() / 100, config.thresholds().target() / 100);
        int batch = Math.max(1, config.batch() / config.deletersMax());
        GrantSpace space = new GrantSpace(marks, grant, cutoffs);
        VictimSource<VolumeFile> checked =
                (budget, leftOut) -> mayRemove.getAsBoolean() ? source.offers(budget, leftOut) : List.of();
        Deleter deleter = new Deleter(
                checked,
                medium.medium,
                medium.rest,
                space,
                marks,
                grant,
                due,
                rate,
                listener,
                batch,
                mayRemove,
                look,
                clocks);
        return () -> {
            if (deleter.step() == Deleter.Step.IDLE) {
                grant.awaitGiven(IDLE_MILLIS);
            }
        };
    }

    private boolean isStillThere(DeleterMedium medium) {
        boolean there = medium.there.getAsBoolean();
        if (!there) {
            grant.revoke();
            listener.warn(root.cache() + " was moved away or replaced while files of it were going, or does not answer:"
                    + " nothing goes before it has been looked at again");
        }
        return there;
    }

    private VolumeSource source() {
        return new VolumeSource(
                ready,
                ranks,
                grant,
                cutoffs,
                removals,
                rate,
                outstanding,
                () -> activator.lower(shards.share()),
                shards::holds,
                config.queueMax());
    }

    /** What a deleter frees with, how that closes what it keeps open, and whether that is still what its path names. */
    private record DeleterMedium(Reclaimable<VolumeFile> medium, Runnable rest, BooleanSupplier there) {}

    private DeleterMedium medium(VolumeSource source) {
        if (config.mode() != SweepMode.RUN) {
            return new DeleterMedium(new Rehearsal(removals, source::settled), () -> {}, () -> true);
        }
        FileReclaimer reclaimer = new FileReclaimer(
                calls, root, config.layout(), config.recency(), touches, removals, pace::stopping, source::settled);
        return new DeleterMedium(reclaimer, reclaimer::rest, reclaimer::isStillThere);
    }

    /** Folder cleaner: looks at folders whose time has come; false when there was none. */
    public boolean folderStep() {
        return cleaner.step();
    }

    /** Keeper: leases, touch logs, the probe of the mount. */
    public void keeperStep() {
        keeper.step();
        if (joint.called().isPresent()) {
            look.ask();
        }
    }

    /** One bounded step of a role. */
    @FunctionalInterface
    public interface RoleStep {
        /** Makes the step; may wait up to half a second. */
        void run() throws InterruptedException;
    }

    /**
     * Ends all waits of the crawlers and takes back the right to delete; from here on nothing is removed but the file that
     * each deleter is at.
     */
    public void stop() {
        pace.stop();
        grant.revoke();
        board.cancel();
    }

    /** Gives up the shares of the volume that were ours; after {@link #stop}. */
    public void release() {
        keeper.release();
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
                keeper.source(),
                (int) Math.round(shards.share() * BucketList.DIGITS),
                health.problem());
    }

    /** What the dry run or shadow that goes on would have removed; nothing once it has been told, or in earnest. */
    public RehearsalSum rehearsal() {
        return removals.rehearsal();
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
        counters.counters(visitor);
        new VolumeGauges(status(), cutoffs.estimate(), passNanos, removals.parkedFiles())
                .show(visitor, nowSeconds(), cutoffs.youngestSeconds());
    }
}
