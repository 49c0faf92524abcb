package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Makes one walk after another: finds the rank directories, deals their shards to the crawlers, and waits for the end. */
final class CrawlConductor {
    /** Files that a first look at a volume samples, as far as each shard gets something between the bounds below. */
    private static final int SAMPLED_FILES = 32_768;

    private static final int SAMPLE_FILES_MIN = 64;
    private static final int SAMPLE_FILES_MAX = 1_000;

    private static final Walk NOT_YET = new Walk(false, false, List.of(), false, "not walked yet");

    private final DirectoryCalls calls;
    private final VolumeRoot root;
    private final Layout layout;
    private final RankTable ranks;
    private final Findings findings;
    private final CrawlBoard board;
    private final boolean adopted;
    private final Consumer<List<RankDir>> newRanks;
    private final Clocks clocks;
    private volatile Walk last = NOT_YET;
    /** Those that the census counts. */
    private List<RankDir> counted = List.of();

    /**
     * A conductor.
     *
     * @param adopted somebody vouches for the root, whatever its layout proves
     * @param newRanks is given the rank directories that the walk before did not have, before anybody else knows of them
     */
    CrawlConductor(
            CacheTree tree,
            RankTable ranks,
            Findings findings,
            CrawlBoard board,
            boolean adopted,
            Consumer<List<RankDir>> newRanks,
            Clocks clocks) {
        this.calls = tree.calls();
        this.root = tree.root();
        this.layout = tree.layout();
        this.ranks = ranks;
        this.findings = findings;
        this.board = board;
        this.adopted = adopted;
        this.newRanks = newRanks;
        this.clocks = clocks;
    }

    /**
     * What the start of a walk found.
     *
     * @param proven the layout proves itself
     * @param ours the root proves itself to be a cache, or has been adopted: files of it may be removed
     * @param readable every directory on the way to the rank directories could be read
     * @param problem why there is nothing to walk; empty when there is
     */
    record Walk(boolean proven, boolean ours, List<RankDir> ranks, boolean readable, String problem) {}

    /** The walk going on, or the last one. */
    Walk last() {
        return last;
    }

    /**
     * Starts a walk; the one before must be over.
     *
     * @param digits the shards that are ours
     * @param sampling whether it matters to know early how old things are
     */
    Walk begin(Set<Integer> digits, boolean sampling) {
        int cache = root.openCache();
        if (cache < 0) {
            last = new Walk(false, false, List.of(), false, root.absence(-cache));
            return last;
        }
        Optional<String> weights = weights();
        if (weights.isPresent()) {
            calls.close(cache);
            last = new Walk(false, false, List.of(), false, weights.get());
            return last;
        }
        RankFinder.Found found;
        try {
            findings.unread()
                    .walkBegins(new UnreadFolders.Ground(Set.copyOf(digits), root.device(cache), root.inode(cache)));
            found = new RankFinder(calls, layout).find(cache);
        } finally {
            calls.close(cache);
        }
        boolean ours = found.proven() || adopted || RootGuard.isAdopted(root.cache());
        List<Ranked> known = known(found);
        newRanks.accept(unseen(known));
        offerEmpty(known);
        last = new Walk(
                found.proven(),
                ours,
                known.stream().map(Ranked::rank).toList(),
                found.unreadable().isEmpty() && !found.truncated(),
                ours
                        ? ""
                        : root.cache() + " does not look like a cache yet: no model's config.json beside a rank"
                                + " directory; nothing is removed until there is one, or until it is adopted (tidemark volume"
                                + " adopt " + root.cache() + ", or ADOPT=true)");
        findings.census().begin(counted(known, found.unreadable()), digits, clocks.wallMillis() / 1000);
        board.begin(tasks(known, new TreeSet<>(digits), sampling));
        return last;
    }

    /**
     * Numbers of the rank directories that the census counts from here on: those that were found, and those of before that may
     * be there still, in what could not be read, or files of the others would go in the place of theirs.
     */
    private Set<Integer> counted(List<Ranked> known, List<RankFinder.Unreadable> unreadable) {
        Map<Integer, RankDir> byId = new HashMap<>();
        counted.stream().filter(rank -> isIn(rank, unreadable)).forEach(rank -> byId.put(rank.id(), rank));
        known.forEach(ranked -> byId.put(ranked.rank().id(), ranked.rank()));
        counted = List.copyOf(byId.values());
        return Set.copyOf(byId.keySet());
    }

    private static boolean isIn(RankDir rank, List<RankFinder.Unreadable> unreadable) {
        String path = rank.toString();
        return unreadable.stream()
                .map(RankFinder.Unreadable::path)
                .anyMatch(at -> at.isEmpty() || path.equals(at) || path.startsWith(at + "/"));
    }

    /** Weights may have come since the start, or another folder in place of the cache: looked for at each walk. */
    private Optional<String> weights() {
        return weights(root.openCache(), root.cache()).or(() -> weights(root.openMount(), root.mount()));
    }

    private Optional<String> weights(int opened, Path folder) {
        if (opened < 0) {
            return Optional.empty();
        }
        try {
            return RootGuard.weightsIn(calls, opened)
                    .map(file -> folder.resolve(file) + " is a model's weights: " + folder
                            + " is no cache, and nothing in it is removed as long as it is there");
        } finally {
            calls.close(opened);
        }
    }

    /**
     * Why nothing of the root may be removed, as far as is known; empty when it may. Looks for the root only while no walk
     * has found it: without a share of the volume there is no walk.
     */
    String objection() {
        Walk walk = last;
        if (walk.ours) {
            return "";
        }
        String absence = root.absence();
        return absence.isEmpty() && !walk.equals(NOT_YET) ? walk.problem : absence;
    }

    private List<RankDir> unseen(List<Ranked> known) {
        Set<Integer> before = last.ranks.stream().map(RankDir::id).collect(Collectors.toSet());
        return known.stream()
                .map(Ranked::rank)
                .filter(rank -> !before.contains(rank.id()))
                .toList();
    }

    private record Ranked(RankDir rank, BucketList buckets) {}

    private List<Ranked> known(RankFinder.Found found) {
        List<Ranked> known = new ArrayList<>();
        for (RankFinder.FoundRank one : found.ranks()) {
            Optional<RankDir> rank = ranks.at(one.path());
            if (rank.isPresent()) {
                known.add(new Ranked(rank.get(), one.buckets()));
            } else {
                findings.counters().skipped("too_many_ranks");
            }
        }
        for (RankFinder.Unreadable folder : found.unreadable()) {
            findings.counters().skipped("unreadable");
            findings.unread().add(folder.path(), folder.errno());
        }
        if (found.truncated()) {
            findings.counters().skipped("search_truncated");
            findings.unread().add("more than " + RankFinder.DIRECTORIES_MAX + " directories");
        }
        return known;
    }

    private void offerEmpty(List<Ranked> known) {
        known.stream()
                .filter(one -> one.rank().path().length > 0 && isEmpty(one.buckets()))
                .forEach(one -> findings.folders().offer(new FolderQueue.Folder(one.rank(), "")));
    }

    private static boolean isEmpty(BucketList buckets) {
        for (int digit = 0; digit < BucketList.DIGITS; digit++) {
            if (buckets.count(digit) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Samples of what is unknown first, then digit by digit over all rank directories. */
    private List<ShardTask> tasks(List<Ranked> known, Set<Integer> digits, boolean sampling) {
        List<ShardTask> tasks = new ArrayList<>();
        if (sampling && layout.levels() > 0) {
            List<Ranked> unknown = known.stream()
                    .filter(ranked -> !findings.census().knows(ranked.rank().id()))
                    .toList();
            int files = Math.clamp(
                    SAMPLED_FILES / Math.max(1, unknown.size() * digits.size()), SAMPLE_FILES_MIN, SAMPLE_FILES_MAX);
            add(tasks, unknown, digits, files);
        }
        add(tasks, known, digits, ShardTask.ALL);
        return tasks;
    }

    private static void add(List<ShardTask> tasks, List<Ranked> ranks, Set<Integer> digits, int filesMax) {
        for (int digit : digits) {
            for (Ranked ranked : ranks) {
                tasks.add(new ShardTask(ranked.rank(), ranked.buckets(), digit, filesMax));
            }
        }
    }

    /** Whether every model's rank directory is walked by now; waits for it for a while. */
    boolean awaitEnd(long timeoutMillis) throws InterruptedException {
        return board.awaitDone(timeoutMillis);
    }

    /** Whether the last walk has gone over all that is there, as far as could be told. */
    boolean wentOverAll() {
        return last.readable && board.isComplete();
    }
}
