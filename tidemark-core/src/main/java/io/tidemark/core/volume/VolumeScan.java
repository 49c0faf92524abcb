package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Looks at a root once, with several threads, changes nothing, and reports what is there. */
public final class VolumeScan {
    private static final int QUEUE_MAX = 1_000_000;
    private static final long PROGRESS_MILLIS = 250;

    private final DirectoryCalls calls;
    private final Layout layout;
    private final int threads;
    private final Clocks clocks;
    private final Function<byte[], Optional<String>> modelOf;

    /**
     * A scan.
     *
     * @param threads 1, 2, 4, 8 or 16
     */
    public VolumeScan(
            DirectoryCalls calls,
            Layout layout,
            int threads,
            Clocks clocks,
            Function<byte[], Optional<String>> modelOf) {
        this.calls = calls;
        this.layout = layout;
        this.threads = threads;
        this.clocks = clocks;
        this.modelOf = modelOf;
    }

    /**
     * What is there.
     *
     * @param proven the layout proves itself
     * @param weights a model's weights in the top level: the sweeper would refuse this root
     * @param emptyFolders folders of the layout with nothing in them
     * @param orphans temporary files older than an hour
     * @param unreadable directories and files that could not be looked at
     * @param unread the first folder of them that is there still, with its error, and how many more; empty when there is none
     * @param seconds what the walk took
     */
    public record Report(
            long files,
            long bytes,
            boolean proven,
            boolean adopted,
            Optional<Path> weights,
            List<Model> models,
            List<AgeShare> ages,
            long emptyFolders,
            long orphans,
            long orphanBytes,
            long unreadable,
            String unread,
            double seconds) {}

    /** What a model has. */
    public record Model(String name, int rankDirectories, long files, long bytes) {}

    /**
     * How far a scan is.
     *
     * @param files seen
     * @param share of the walk that is over
     */
    public record Progress(long files, double share) {}

    /**
     * Scans a root.
     *
     * @param progress told how far it is, at the begin and now and then
     */
    public Report scan(Path path, Consumer<Progress> progress) throws IOException, InterruptedException {
        progress.accept(new Progress(0, 0));
        return walk(path, soFar -> {
            progress.accept(soFar);
            return true;
        });
    }

    /** Whether there is any block below a root; the look ends with the first that is found. */
    public boolean findsBlocks(Path path) throws IOException, InterruptedException {
        return walk(path, soFar -> soFar.files() == 0).files() > 0;
    }

    private Report walk(Path path, Predicate<Progress> wanted) throws IOException, InterruptedException {
        VolumeRoot root = new VolumeRoot(calls, path, "", false);
        VolumeCounters counters = new VolumeCounters();
        Census census = new Census();
        RankTable ranks = new RankTable(modelOf);
        CrawlBoard board = new CrawlBoard(threads);
        FolderQueue folders = new FolderQueue(clocks, QUEUE_MAX, 0);
        DueQueue due = new DueQueue(QUEUE_MAX);
        Pace pace = new Pace(clocks);
        CacheTree tree = new CacheTree(calls, root, layout);
        UnreadFolders unread = new UnreadFolders(text -> {}, clocks);
        Findings findings = new Findings(census, sorter(due), folders, unread, counters);
        CrawlConductor conductor = new CrawlConductor(tree, ranks, findings, board, false, found -> {}, clocks);
        CrawlerRoles roles = new CrawlerRoles(threads, tree, board, findings, 0, pace, clocks);
        long start = clocks.monotonicNanos();
        CrawlConductor.Walk walk = conductor.begin(layout.levels() == 0 ? Set.of(0) : BucketList.ALL_DIGITS, false);
        List<Thread> crawlers = start(roles, pace);
        boolean goesOn = true;
        while (goesOn && !board.awaitDone(PROGRESS_MILLIS)) {
            goesOn = wanted.test(new Progress(total(roles).discovered(), board.share()));
            forget(folders);
        }
        double seconds = (clocks.monotonicNanos() - start) / 1e9;
        pace.stop();
        for (Thread crawler : crawlers) {
            crawler.join();
        }
        List<VolumeFile> orphans = due.drain(QUEUE_MAX);
        Estimate estimate = census.estimate(clocks.wallMillis() / 1000);
        return new Report(
                total(roles).discovered(),
                (long) estimate.totalBytes(),
                walk.proven(),
                RootGuard.isAdopted(path),
                RootGuard.weightsIn(path),
                models(walk, census),
                estimate.shares(),
                total(roles).emptyFolders(),
                orphans.size(),
                orphans.stream().mapToLong(VolumeFile::bytes).sum(),
                total(roles).statErrors(),
                unread.text(),
                seconds);
    }

    /** Nobody cleans here: empty folders are counted as they are put, for which there has to be room. */
    private static void forget(FolderQueue folders) {
        Optional<FolderQueue.Folder> folder = folders.poll();
        while (folder.isPresent()) {
            folder = folders.poll();
        }
    }

    private FileSorter sorter(DueQueue due) {
        ReadyBuffer none = new ReadyBuffer(1, ReadyBuffer.LONG_PATHS_MAX, clocks.wallMillis() / 1000);
        none.intake().until(-1);
        ModelRules noRules = new ModelRules(Map.of(), Map.of());
        long hour = TimeUnit.HOURS.toSeconds(1);
        return new FileSorter(
                none,
                due,
                new RehearsedFiles(0),
                noRules,
                new LastUse(RecencyRule.MAX, new Touches(), layout),
                0,
                hour);
    }

    private List<Thread> start(CrawlerRoles roles, Pace pace) {
        List<Thread> crawlers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Crawler crawler = roles.role(i);
            crawlers.add(Thread.ofPlatform().daemon().name("scan-" + i).start(() -> {
                try {
                    while (!pace.stopping()) {
                        crawler.step();
                    }
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        return crawlers;
    }

    private static CrawlerStats.Reading total(CrawlerRoles roles) {
        return roles.seen().stream().reduce(new CrawlerStats.Reading(0, 0, 0, 0, 0), CrawlerStats.Reading::plus);
    }

    /** A rank directory without a file says nothing of a model, unless there are models here: its name may mean anything. */
    private List<Model> models(CrawlConductor.Walk walk, Census census) {
        Map<String, List<RankDir>> byModel = new TreeMap<>();
        walk.ranks()
                .forEach(rank -> byModel.computeIfAbsent(rank.modelLabel(), absent -> new ArrayList<>())
                        .add(rank));
        List<Model> models = new ArrayList<>();
        byModel.forEach((name, own) -> {
            Set<Integer> ids = own.stream().map(RankDir::id).collect(Collectors.toSet());
            Estimate estimate = census.estimate(clocks.wallMillis() / 1000, ids::contains);
            if (walk.proven() || estimate.files() > 0) {
                models.add(new Model(name, own.size(), estimate.files(), (long) estimate.totalBytes()));
            }
        });
        return models;
    }
}
