package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import io.tidemark.core.medium.Reclaimable.Freed;
import io.tidemark.core.medium.Reclaimable.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that go while a walk lists the shard that they lie in, or that deleters held over a walk: no count holds one of them. */
class GoneWhileListedTest {
    private static final int FILES = 40;
    private static final String RANK = "m_0123456789ab_r0";

    @TempDir(factory = MemoryDir.class)
    private Path root;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1 << 30, 0);
    private final Census census = new Census();
    private final CrawlBoard board = new CrawlBoard(1);
    private final ReadyBuffer ready = new ReadyBuffer(100, ReadyBuffer.LONG_PATHS_MAX, clocks.wallMillis() / 1000);
    private final RankTable ranks = new RankTable(path -> Optional.empty());
    private final Set<String> looked = new HashSet<>();
    /** What goes when half of the files have been looked at. */
    private Supplier<List<VolumeFile>> going = List::of;

    private void blocks(Layout layout) throws IOException {
        CacheFiles cache = new CacheFiles(root);
        cache.model("m_0123456789ab", "org/m");
        for (int i = 0; i < FILES; i++) {
            Duration age = Duration.ofHours(24 + i);
            if (layout.levels() == 0) {
                cache.file(String.format(Locale.ROOT, "%064x_m_0_8.bin", i), age);
            } else {
                cache.file(String.format(Locale.ROOT, "%s/000/00_g0/%016x.bin", RANK, i), age); // one shard, one folder
            }
        }
    }

    private Removals removals(Layout layout, Findings findings) {
        RecordingListener listener = new RecordingListener();
        return new Removals(
                layout,
                new DeletionGrant(clocks),
                new GoneFiles(layout, ready, census),
                findings.counters(),
                findings.folders(),
                new RateLimit(clocks, 0),
                new RefusedFiles(ready.intake(), listener, clocks),
                listener);
    }

    /** Takes files out, as a deleter does that goes on later. */
    private List<VolumeFile> polled() {
        return ready.poll(ranks, clocks.wallMillis() / 1000, Long.MAX_VALUE, FILES / 2, 0);
    }

    private void remove(Removals removals, Outcome outcome, List<VolumeFile> files) {
        for (VolumeFile file : files) {
            try {
                Path rank = root.resolve(new String(file.rank().path(), StandardCharsets.US_ASCII));
                Files.delete(rank.resolve(new String(file.path(), StandardCharsets.US_ASCII)));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            removals.settled(file, new Freed(outcome, file.bytes()));
        }
    }

    private static final String CASES = """
            fs, FREED
            fs, GONE
            sglang, FREED
            """;

    /** Who walks and who removes. */
    private record Roles(CrawlConductor conductor, Crawler crawler, Removals removals, Set<Integer> digits) {}

    private Roles volume(String name, Outcome outcome) throws IOException {
        Layout layout = name.equals("fs") ? new FsLayout(3) : new SglangLayout();
        blocks(layout);
        FileSorter sorter = Walked.sorter(ready, layout);
        CacheTree tree = new CacheTree(calls, new VolumeRoot(calls, root, "", false), layout);
        Findings findings = new Findings(
                census,
                sorter,
                new FolderQueue(clocks, 100, 0),
                new UnreadFolders(text -> {}, clocks),
                new VolumeCounters());
        CrawlConductor conductor = new CrawlConductor(tree, ranks, findings, board, true, found -> {}, clocks);
        Crawler crawler = new Crawler(0, tree, board, findings, 0, new Pace(clocks), clocks, new CrawlerStats());
        Removals removals = removals(layout, findings);
        calls.fault = (call, file) -> {
            boolean half = call == TwinCalls.Call.STAT
                    && file.endsWith(".bin")
                    && looked.add(file)
                    && looked.size() == FILES / 2;
            if (half) {
                List<VolumeFile> files = List.copyOf(going.get());
                remove(removals, outcome, files);
            }
            return 0;
        };
        return new Roles(conductor, crawler, removals, layout.levels() == 0 ? Set.of(0) : BucketList.ALL_DIGITS);
    }

    @ParameterizedTest
    @CsvSource(textBlock = CASES)
    void noneThatGoesInTheMiddleOfAWalkIsCounted(String name, Outcome outcome) throws Exception {
        Roles roles = volume(name, outcome);
        walk(roles);
        assertThat(files()).isEqualTo(FILES);
        going = this::polled; // files that the walk going on has looked at, and files that it has not come to
        walk(roles);
        countsWhatIsThere();
    }

    @ParameterizedTest
    @CsvSource(textBlock = CASES)
    void noneThatADeleterHeldOverAWalkIsCounted(String name, Outcome outcome) throws Exception {
        Roles roles = volume(name, outcome);
        walk(roles);
        List<VolumeFile> held = polled();
        walk(roles);
        assertThat(files()).isEqualTo(FILES);
        remove(roles.removals, outcome, held);
        countsWhatIsThere();
        assertThat(ready.size()).as("the walk has found them again").isEqualTo(FILES / 2);
    }

    @ParameterizedTest
    @CsvSource(textBlock = CASES)
    void noneThatADeleterHeldUntilTheMiddleOfAWalkIsCounted(String name, Outcome outcome) throws Exception {
        Roles roles = volume(name, outcome);
        walk(roles);
        List<VolumeFile> held = polled();
        going = () -> held;
        walk(roles);
        countsWhatIsThere();
    }

    @ParameterizedTest
    @CsvSource(textBlock = CASES)
    void oneThatTwoDeletersHoldLeavesTheCountOnce(String name, Outcome outcome) throws Exception {
        Roles roles = volume(name, outcome);
        walk(roles);
        List<VolumeFile> held = polled();
        walk(roles);
        List<VolumeFile> again = polled();
        remove(roles.removals, outcome, held);
        again.forEach(file -> roles.removals.settled(file, new Freed(Outcome.GONE, file.bytes())));
        countsWhatIsThere();
        walk(roles);
        countsWhatIsThere();
    }

    private void countsWhatIsThere() {
        assertThat(files()).isEqualTo(FILES / 2);
        Estimate counted = census.estimate(clocks.wallMillis() / 1000);
        assertThat(counted.totalBytes()).isEqualTo((double) CacheFiles.FILE_BYTES * FILES / 2);
        assertThat(counted.bytesOfColdest(FILES / 2)).as("sum of the buckets").isEqualTo((long) counted.totalBytes());
    }

    private long files() {
        return census.estimate(clocks.wallMillis() / 1000).files();
    }

    private void walk(Roles roles) throws InterruptedException {
        looked.clear();
        roles.conductor.begin(roles.digits, false);
        while (board.isBusy()) {
            roles.crawler.step();
        }
    }
}
