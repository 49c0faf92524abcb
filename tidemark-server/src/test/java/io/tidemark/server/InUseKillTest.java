package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start dies, or is refused, at each call by which it writes down which SSD directories are in use and claims them: the next
 * one has what it may have, and nothing that is void.
 */
class InUseKillTest {
    private static final int BLOCKS = 3;
    private static final String RENAME = "renameat " + UsedDirectories.FILE + ReplacedFile.TEMPORARY;

    @TempDir
    private Path folder;

    private Path round;

    /** Everything anew. */
    @BeforeEach
    void nextRound() throws IOException {
        round = folder.resolve("round");
        if (Files.exists(round)) {
            try (Stream<Path> left = Files.walk(round)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(round.resolve("state"));
    }

    private TidemarkConfig config(String... directories) throws Exception {
        String paths = Stream.of(directories)
                .map(name -> round.resolve(name).toString())
                .collect(Collectors.joining(","));
        return Effective.resolve(
                        Optional.empty(),
                        Map.of(),
                        Map.of(
                                "ssd.capacity", given(64 * directories.length + "Mi", "--ssd"),
                                "ssd.directories", given(paths, "--ssd-dir"),
                                "state-dir", given(round.resolve("state").toString(), "--state-dir")))
                .config();
    }

    private static Given given(String value, String flag) {
        return new Given(value, new Origin.Flag(flag));
    }

    private interface Use {
        void of(Medium medium) throws IOException;
    }

    /** A start that comes to its end, and a stop. */
    private static void serve(TidemarkConfig config, Use use) throws Exception {
        try (SsdStart start = SsdStart.begin(NativeSys.INSTANCE, config)) {
            start.await(config, () -> false);
            start.awaitWritten(config, () -> false);
            for (TierPlan.Ssd ssd : config.tiers().ssd().toList()) {
                try (Medium medium = start.medium(ssd, _ -> {})) {
                    use.of(medium);
                }
            }
        }
    }

    private static void fill(TidemarkConfig config) throws Exception {
        serve(config, medium -> {
            for (int i = 0; i < BLOCKS; i++) {
                byte[] key = {(byte) i};
                long copy = ((Allocation.Allocated) medium.allocate(100)).copy();
                medium.write(copy, 0, MemorySegment.ofArray(new byte[100]));
                medium.seal(copy, key, i + 1);
                assertThat(medium.commit(copy, key, i + 1)).isTrue();
            }
        });
    }

    /** Blocks that a start finds in each directory. */
    private static List<Integer> found(TidemarkConfig config) throws Exception {
        List<Integer> found = new ArrayList<>();
        serve(config, medium -> found.add(medium.copies().count()));
        return found;
    }

    /** A start up to where it would serve; what is in use is written down through these calls. */
    private static void start(CountedCalls calls, TidemarkConfig config) throws Exception {
        try (SsdStart start = SsdStart.begin(calls.sys(), config, calls::count)) {
            start.await(config, () -> false);
            start.awaitWritten(config, () -> false);
        }
    }

    private static void assertKilled(CountedCalls calls, TidemarkConfig config) {
        assertThatThrownBy(() -> start(calls, config)).hasRootCauseInstanceOf(CountedCalls.Killed.class);
    }

    /** Two directories with blocks, and a state directory that was lost since. */
    private TidemarkConfig withoutTheList() throws Exception {
        TidemarkConfig config = config("a", "b");
        fill(config);
        Files.delete(round.resolve("state").resolve(UsedDirectories.FILE));
        return config;
    }

    @Test
    void g90_aStateDirectoryThatKnowsNothingYetTakesOverAllBlocksWhereverItsFirstStartDies() throws Exception {
        CountedCalls whole = CountedCalls.healthy();
        start(whole, withoutTheList());
        assertThat(whole.calls())
                .startsWith(
                        "openat ssd-directories.tmp",
                        "pwrite ssd-directories.tmp",
                        "fsync ssd-directories.tmp",
                        "close ssd-directories.tmp",
                        RENAME,
                        "openat state",
                        "fsync state",
                        "close state")
                .containsOnlyOnce(RENAME)
                .filteredOn("pwrite identity"::equals)
                .hasSize(2);
        for (int call = 0; call < whole.calls().size(); call++) {
            nextRound();
            TidemarkConfig config = withoutTheList();
            assertKilled(CountedCalls.dyingAt(call), config);
            assertThat(found(config)).as(whole.calls().get(call)).containsExactly(BLOCKS, BLOCKS);
        }
    }

    @Test
    void g84_aStartThatCannotWriteTheListIsRefusedAndTheNextOneHasAllBlocks() throws Exception {
        CountedCalls whole = CountedCalls.healthy();
        start(whole, withoutTheList());
        int claims = whole.calls().indexOf("openat identity");
        for (int call = 0; call < whole.calls().size(); call++) {
            nextRound();
            TidemarkConfig config = withoutTheList();
            CountedCalls failing = CountedCalls.failingAt(call, Errno.EIO);
            if (call < claims) {
                assertThatThrownBy(() -> start(failing, config))
                        .isInstanceOf(StartException.class)
                        .hasMessageStartingWith("cannot use state directory " + round.resolve("state"))
                        .hasMessageContaining("EIO");
            } else {
                start(failing, config);
            }
            assertThat(found(config)).as(whole.calls().get(call)).containsExactly(BLOCKS, BLOCKS);
        }
    }

    /** Void is what missed a run; a run that died before its list was there has served nobody. */
    @Test
    void g90_aDirectoryThatIsLeftOutIsVoidFromTheMomentThatTheListIsReplaced() throws Exception {
        fill(config("a", "b"));
        CountedCalls whole = CountedCalls.healthy();
        start(whole, config("a"));
        assertThat(found(config("a", "b"))).containsExactly(BLOCKS, 0);
        int rename = whole.calls().indexOf(RENAME);
        for (int call = 0; call < whole.calls().size(); call++) {
            nextRound();
            fill(config("a", "b"));
            assertKilled(CountedCalls.dyingAt(call), config("a"));
            assertThat(found(config("a", "b")))
                    .as(whole.calls().get(call))
                    .containsExactly(BLOCKS, call <= rename ? BLOCKS : 0);
        }
    }

    @Test
    void g90_aNewDirectoryCostsTheOthersNothingWhereverTheStartWithItDies() throws Exception {
        fill(config("a"));
        CountedCalls whole = CountedCalls.healthy();
        start(whole, config("a", "b"));
        for (int call = 0; call < whole.calls().size(); call++) {
            nextRound();
            fill(config("a"));
            assertKilled(CountedCalls.dyingAt(call), config("a", "b"));
            assertThat(found(config("a", "b"))).as(whole.calls().get(call)).containsExactly(BLOCKS, 0);
            fill(config("a", "b"));
            assertThat(found(config("a", "b"))).containsExactly(2 * BLOCKS, BLOCKS);
        }
    }
}
