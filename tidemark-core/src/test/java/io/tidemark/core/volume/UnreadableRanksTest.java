package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the census counts when rank directories or buckets cannot be read for a while, or are gone. */
class UnreadableRanksTest {
    @TempDir(factory = MemoryDir.class)
    private Path root;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1 << 30, 0);
    private final Census census = new Census();
    private final CrawlBoard board = new CrawlBoard(1);
    private final UnreadFolders unread = new UnreadFolders(text -> {}, clocks);
    private CrawlConductor conductor;
    private Crawler crawler;
    private CacheFiles cache;

    @BeforeEach
    void volume() throws IOException {
        cache = new CacheFiles(root);
        cache.model("m_0123456789ab", "org/m");
        for (int rank = 0; rank < 3; rank++) {
            cache.block("m_0123456789ab_r" + rank, 0, Duration.ofHours(24));
        }
        FileSorter sorter = new FileSorter(
                new ReadyBuffer(100, ReadyBuffer.LONG_PATHS_MAX, clocks.wallMillis() / 1000),
                new DueQueue(100),
                new RehearsedFiles(0),
                new ModelRules(Map.of(), Map.of()),
                new LastUse(RecencyRule.MAX, new Touches(), new FsLayout(3)),
                0,
                60);
        CacheTree tree = new CacheTree(calls, new VolumeRoot(calls, root, "", false), new FsLayout(3));
        Findings findings = new Findings(census, sorter, new FolderQueue(clocks, 100, 0), unread, new VolumeCounters());
        conductor = new CrawlConductor(
                tree, new RankTable(path -> Optional.empty()), findings, board, false, found -> {}, clocks);
        crawler = new Crawler(0, tree, board, findings, 0, new Pace(clocks), clocks, new CrawlerStats());
    }

    /** Files that the census counts after one more walk. */
    private long walked() throws InterruptedException {
        conductor.begin(BucketList.ALL_DIGITS, true);
        while (board.isBusy()) {
            crawler.step();
        }
        unread.walkEnded(true, true);
        return census.estimate(clocks.wallMillis() / 1000).files();
    }

    private void fails(String rank) {
        calls.fault = (call, name) -> call == TwinCalls.Call.OPEN && name.endsWith(rank) ? Errno.EIO : 0;
    }

    @Test
    void oneThatCannotBeReadCountsAsBeforeAndOneThatIsGoneDoesNot() throws Exception {
        assertThat(walked()).isEqualTo(3);
        assertThat(conductor.wentOverAll()).isTrue();
        fails("_r1");
        deleteAll(root.resolve("m_0123456789ab_r2"));
        assertThat(walked()).as("the first and the unreadable one").isEqualTo(2);
        assertThat(walked()).as("and so on").isEqualTo(2);
        assertThat(conductor.wentOverAll()).isFalse();
        calls.fault = (call, name) -> 0;
        assertThat(walked()).isEqualTo(2);
        assertThat(conductor.wentOverAll()).isTrue();
    }

    @Test
    void aBucketThatALaterWalkCannotReadCountsAsBefore() throws Exception {
        Path beside = cache.file("m_0123456789ab_r0/0ff/00_g0/0ff0000000000000.bin", Duration.ofHours(24));
        cache.file("m_0123456789ab_r0/00f/00_g0/00f0000000000000.bin", Duration.ofHours(24)); // of the same shard
        assertThat(walked()).isEqualTo(5);
        fails("00f");
        Files.delete(beside);
        assertThat(walked()).as("as before").isEqualTo(5);
        clocks.passTime(Duration.ofMinutes(UnreadFolders.MINUTES));
        assertThat(walked()).as("without the bucket").isEqualTo(3);
        calls.fault = (call, name) -> 0;
        assertThat(walked()).isEqualTo(4);
        calls.fault = (call, name) -> call == TwinCalls.Call.STAT && name.startsWith("00f0") ? Errno.ESTALE : 0;
        assertThat(walked()).as("with the file that it could not look at").isEqualTo(4);
    }

    @Test
    void whatBelongsToTheFileSystemKeepsNoWalkFromBeingWhole() throws Exception {
        Files.createDirectory(root.resolve("lost+found"));
        fails("lost+found");
        assertThat(walked()).isEqualTo(3);
        assertThat(conductor.wentOverAll()).isTrue();
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
