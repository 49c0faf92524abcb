package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.util.List;
import java.util.stream.Stream;

/** The crawlers' roles. What each has seen is counted on by the thread that takes the place of one that died. */
final class CrawlerRoles {
    private final CacheTree tree;
    private final CrawlBoard board;
    private final Findings findings;
    private final long folderTtlSeconds;
    private final Pace pace;
    private final Clocks clocks;

    /** By number. */
    private final List<CrawlerStats> stats;

    /**
     * The roles.
     *
     * @param crawlers how many, as the board has it
     * @param folderTtlSeconds how long an empty folder must have been left alone to be of interest
     */
    CrawlerRoles(
            int crawlers,
            CacheTree tree,
            CrawlBoard board,
            Findings findings,
            long folderTtlSeconds,
            Pace pace,
            Clocks clocks) {
        this.tree = tree;
        this.board = board;
        this.findings = findings;
        this.folderTtlSeconds = folderTtlSeconds;
        this.pace = pace;
        this.clocks = clocks;
        this.stats = Stream.generate(CrawlerStats::new).limit(crawlers).toList();
    }

    /** The role with this number, for a new thread. */
    Crawler role(int number) {
        return new Crawler(number, tree, board, findings, folderTtlSeconds, pace, clocks, stats.get(number));
    }

    /** What each has seen since the start. */
    List<CrawlerStats.Reading> seen() {
        return stats.stream().map(CrawlerStats::read).toList();
    }
}
