package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One walk over a root by one crawler, without the rest of the sweeper. */
final class Walked {
    final List<String> blocks = new ArrayList<>();
    final FolderQueue folders = new FolderQueue(Clocks.system(), 1_000, 0);
    final CrawlerStats stats = new CrawlerStats();
    final CrawlConductor.Walk walk;
    final Census census = new Census();

    /** Walks the shards of some digits. */
    Walked(DirectoryCalls calls, Path root, Layout layout, Set<Integer> digits) throws InterruptedException {
        Clocks clocks = Clocks.system();
        long now = clocks.wallMillis() / 1000;
        VolumeRoot volume = new VolumeRoot(calls, root, "", false);
        RankTable ranks = new RankTable(path -> Optional.empty());
        CrawlBoard board = new CrawlBoard(1);
        VolumeCounters counters = new VolumeCounters();
        ReadyBuffer ready = new ReadyBuffer(100_000, ReadyBuffer.LONG_PATHS_MAX, now);
        FileSorter sorter = sorter(ready, layout);
        CacheTree tree = new CacheTree(calls, volume, layout);
        Findings findings = new Findings(census, sorter, folders, new UnreadFolders(text -> {}, clocks), counters);
        CrawlConductor conductor = new CrawlConductor(tree, ranks, findings, board, false, found -> {}, clocks);
        Crawler crawler = new Crawler(0, tree, board, findings, 0, new Pace(clocks), clocks, stats);
        walk = conductor.begin(digits, true);
        while (board.isBusy()) {
            crawler.step();
        }
        for (VolumeFile file : ready.poll(ranks, now, Long.MAX_VALUE, Integer.MAX_VALUE, 0)) {
            String rank = new String(file.rank().path(), StandardCharsets.ISO_8859_1);
            blocks.add((rank.isEmpty() ? "" : rank + "/") + new String(file.path(), StandardCharsets.ISO_8859_1));
        }
        blocks.sort(String::compareTo);
    }

    /** A sorter without rules and touch logs, for all ages. */
    static FileSorter sorter(ReadyBuffer ready, Layout layout) {
        return new FileSorter(
                ready,
                new DueQueue(100),
                new RehearsedFiles(0),
                new ModelRules(Map.of(), Map.of()),
                new LastUse(RecencyRule.MAX, new Touches(), layout),
                0,
                60);
    }
}
