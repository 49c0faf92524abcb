package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real server processes with an SSD tier under 16 MiB of memory. */
@Timeout(180)
class SsdProcessTest {
    private static final int BLOCKS = 640;
    private static final int BLOCK_BYTES = 64 << 10;
    private static final long SSD_BYTES = 64L << 20;
    private static final long SLACK_BYTES = 8L << 20;
    private static final long ANSWER_MILLIS = 10_000;
    private static final long EXIT_MILLIS_MAX = 2_000;

    private static final long POLL_MILLIS = 100;

    @TempDir
    private Path folder;

    private Path state() {
        return folder.resolve("state");
    }

    private ServeProcess start(String... more) throws IOException {
        return ServeProcess.start(
                state(),
                Stream.concat(
                                Stream.of("--dram", "16Mi", "--ssd", "64Mi", "--redis-port", "0", "--http-port", "0"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    @Test
    void aDirectoryInMemoryIsWarnedOfAndOneOnADiskIsNot() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeThat(Files.isDirectory(memory)
                        && Files.getFileStore(memory).type().equals("tmpfs"))
                .as("a tmpfs at /dev/shm")
                .isTrue();
        Path directory = Files.createTempDirectory(memory, "tidemark-test");
        try (ServeProcess server = start("--ssd-dir", directory.toString())) {
            server.awaitReady();
            assertThat(server.log())
                    .containsPattern("WARN .*SSD directory " + directory
                            + " is a tmpfs: it takes memory, not disk, and does not survive the machine");
            server.kill();
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        try (ServeProcess server = start()) {
            server.awaitReady();
            assertThat(server.log()).doesNotContain("is a tmpfs");
        }
    }

    @Test
    void whatWasOnSsdIsServedAgainAfterAKillAndWhatWasDeletedIsNot() throws Exception {
        List<Integer> below;
        try (ServeProcess server = start();
                RespConnection client = connect(server)) {
            for (int block = 0; block < BLOCKS; block++) {
                client.call("SET", key(block), value(block));
            }
            below = awaitOnSsd(client, BLOCKS / 2);
            assertThat(client.call("DEL", key(below.get(0)), key(below.get(1)))).isEqualTo(new Reply.Int(2));
            assertThat(occupiedBytes()).isLessThanOrEqualTo(SSD_BYTES + SLACK_BYTES);
            server.kill();
        }
        try (ServeProcess server = start();
                RespConnection client = connect(server)) {
            List<Integer> again = onSsd(client);
            assertThat(again).doesNotContain(below.get(0), below.get(1));
            assertThat(again).hasSizeGreaterThanOrEqualTo((below.size() - 2) * 99 / 100);
            for (int block : again) {
                assertThat(client.call("GET", key(block)))
                        .as("block %d", block)
                        .isEqualTo(new Reply.Bulk(value(block)));
            }
            long started = System.nanoTime();
            server.terminate();
            assertThat(server.exitCode()).isZero();
            assertThat((System.nanoTime() - started) / 1_000_000).isLessThan(EXIT_MILLIS_MAX);
        }
        try (ServeProcess server = start("--fresh");
                RespConnection client = connect(server)) {
            assertThat(client.call("DBSIZE")).isEqualTo(new Reply.Int(0));
        }
    }

    @Test
    void aDirectoryThatIsInUseOrIsNoDirectoryStopsTheStartAndIsNamed() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        try (ServeProcess server = start("--ssd-dir", file.toString())) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.log()).contains("SSD directory " + file + " cannot be used");
        }
        Path below = file.resolve("below");
        try (ServeProcess server = start("--ssd-dir", below.toString())) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.log())
                    .contains("SSD directory " + below + " cannot be used: ")
                    .doesNotContain("cannot be used: " + below + "\n");
        }
        Path shared = folder.resolve("shared");
        try (ServeProcess first = start("--ssd-dir", shared.toString())) {
            first.awaitReady();
            try (ServeProcess second = ServeProcess.start(
                    folder.resolve("other"), "--ssd-dir", shared.toString(), "--redis-port", "0", "--http-port", "0")) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.log()).contains("is in use by another process (pid " + first.pid() + ")");
            }
        }
    }

    /** Whoever is served before has what the next start may take for void, or have back. */
    @Test
    void nobodyIsServedBeforeItIsWrittenDownWhichDirectoriesAreInUse() throws Exception {
        Path inTheWay = state().resolve(UsedDirectories.FILE + ReplacedFile.TEMPORARY);
        Files.createDirectories(inTheWay.resolve("not-empty"));
        try (ServeProcess server = start()) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.log()).contains("cannot use state directory " + state());
            assertThat(server.process().inputReader().readLine())
                    .as("what says that it serves")
                    .isNull();
        }
        assertThat(state().resolve(UsedDirectories.FILE)).doesNotExist();
    }

    /** A pipe that nobody reads stands for a state directory that hangs: the call that opens it does not come back. */
    @Test
    void aStartWhoseStateDirectoryHangsEndsWhenItIsToldTo() throws Exception {
        Path pipe = Files.createDirectories(state()).resolve(UsedDirectories.FILE + ReplacedFile.TEMPORARY);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (ServeProcess server = start()) {
            Awaitility.await().until(() -> server.log().contains("with 0 blocks of an earlier process"));
            server.terminate();
            assertThat(server.exitCode()).isZero();
            assertThat(server.log())
                    .contains("a call to the state directory has not come back")
                    .doesNotContain("the stop was cut short", "Serving: ready");
        }
    }

    /** As in a container that took the right to read whatever it likes from root. */
    @Test
    void aDirectoryOfSomebodyElseStopsTheStartWithWhoIsRefusedWhatAndWhatToDo() throws Exception {
        List<String> wrapper = List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search");
        List<String> probe = new ArrayList<>(wrapper);
        probe.add("true");
        assumeThat(isPossible(probe))
                .as("this machine lets us drop capabilities")
                .isTrue();
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rwx------"));
        Files.setAttribute(theirs, "unix:uid", 65_533);
        for (String flag : List.of("--ssd-dir", "--state-dir")) {
            String[] flags = {flag, theirs.toString(), "--ssd", "128Mi", "--redis-port", "0", "--http-port", "0"};
            try (ServeProcess server = flag.equals("--state-dir")
                    ? ServeProcess.launch(wrapper, Map.of(), List.of(flags))
                    : ServeProcess.start(wrapper, folder.resolve("state"), flags)) {
                assertThat(server.exitCode()).isEqualTo(1);
                assertThat(server.log())
                        .contains(theirs + " cannot be used: ")
                        .contains(
                                "this process runs as uid 0, and " + theirs + " belongs to uid 65533 (65533) with mode"
                                        + " rwx------: have it owned by that user (chown)");
            }
        }
    }

    private static boolean isPossible(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    private ServeProcess with(String ssdBytes, Path... directories) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--dram", "16Mi", "--redis-port", "0", "--http-port", "0", "--ssd", ssdBytes));
        for (Path directory : directories) {
            arguments.addAll(List.of("--ssd-dir", directory.toString()));
        }
        return ServeProcess.start(state(), arguments.toArray(String[]::new));
    }

    @Test
    void aDirectoryThatIsHeldStopsNothingWhileAnotherOneWorksAndIsTakenBackEmpty() throws Exception {
        Path shared = folder.resolve("shared");
        Path sound = folder.resolve("sound");
        try (ServeProcess server = with("128Mi", sound, shared)) {
            server.awaitReady();
            server.kill();
        }
        // As a process that was killed and cannot end yet.
        int lock =
                NativeSys.INSTANCE.openat(Sys.AT_FDCWD, shared.resolve("lock").toString(), Sys.O_RDWR, 0);
        NativeSys.INSTANCE.flock(lock, Sys.LOCK_EX_NB);
        try (ServeProcess server = with("128Mi", sound, shared);
                RespConnection client = connect(server)) {
            assertThat(server.log()).contains("ssd1: " + shared + " is left out");
            assertThat(client.call("SET", key(0), value(0))).isEqualTo(new Reply.Status("OK"));
            server.kill();
        } finally {
            NativeSys.INSTANCE.close(lock);
        }
        try (ServeProcess server = with("128Mi", sound, shared)) {
            server.awaitReady();
            assertThat(server.log()).contains("ssd1: " + shared + " begins empty");
            server.kill();
        }
        try (ServeProcess server = with("128Mi", sound, shared)) {
            server.awaitReady();
            assertThat(server.log()).doesNotContain("begins empty");
        }
    }

    /** The one that is away cannot be told what is deleted and overwritten meanwhile. */
    @Test
    void g94_whatIsDeletedOrOverwrittenWhileADirectoryIsNotConfiguredDoesNotComeBack() throws Exception {
        Path a = folder.resolve("a");
        Path b = folder.resolve("b");
        int before;
        try (ServeProcess server = with("128Mi", a, b);
                RespConnection client = connect(server)) {
            for (int block = 0; block < BLOCKS; block++) {
                client.call("SET", key(block), value(block));
            }
            awaitOn(client, "ssd1", BLOCKS / 4);
            server.kill();
        }
        try (ServeProcess server = with("64Mi", a);
                RespConnection client = connect(server)) {
            for (int block = 0; block < BLOCKS; block += 2) {
                client.call("DEL", key(block));
                client.call("SET", key(block + 1), value(block + 1 + BLOCKS));
            }
            server.kill();
        }
        try (ServeProcess server = with("128Mi", a, b);
                RespConnection client = connect(server)) {
            assertThat(server.log()).contains(b + " begins empty").doesNotContain(a + " begins empty");
            assertNothingOldIsBack(client);
            for (int block = 0; block < BLOCKS; block++) {
                client.call("SET", key(block), value(block));
            }
            before = awaitOn(client, "ssd", BLOCKS / 4).size();
            server.kill();
        }
        try (ServeProcess server =
                        ServeProcess.start(state(), "--dram", "16Mi", "--redis-port", "0", "--http-port", "0");
                RespConnection client = connect(server)) {
            assertThat(before).isPositive();
            client.call("DEL", key(1)); // of a server without SSD: nothing records this
            server.kill();
        }
        Path moved = Files.move(b, folder.resolve("moved"));
        try (ServeProcess server = with("128Mi", a, moved);
                RespConnection client = connect(server)) {
            assertThat(client.call("DBSIZE")).isEqualTo(new Reply.Int(0));
        }
    }

    @Test
    void g89_aDirectoryThatIsLeftOutIsNamedOnceWithWhatBecomesOfItsBlocks() throws Exception {
        Path a = folder.resolve("a");
        Path b = folder.resolve("b");
        stopped(with("128Mi", a, b));
        Path moved = Files.move(a, folder.resolve("moved"));
        assertThat(stopped(with("128Mi", moved, b))).as("another path").doesNotContain("is not configured any more");

        assertThat(stopped(with("64Mi", moved)))
                .containsOnlyOnce("is not configured any more")
                .contains(
                        "WARN",
                        "SSD directory " + b + " of the last run is not configured any more: a start without it"
                                + " makes its blocks void, and it begins empty when it comes back");
        assertThat(stopped(with("64Mi", moved))).as("told once").doesNotContain("is not configured any more");

        String[] none = {"--dram", "16Mi", "--redis-port", "0", "--http-port", "0"};
        assertThat(stopped(ServeProcess.start(state(), none)))
                .containsOnlyOnce("is not configured any more")
                .contains("SSD directory " + moved + " of the last run is not configured any more");
        assertThat(stopped(ServeProcess.start(state(), none))).doesNotContain("is not configured any more");
        assertThat(stopped(with("128Mi", moved, b))).contains(moved + " begins empty", b + " begins empty");
    }

    /** What a server wrote until it was ready, and ended. */
    private static String stopped(ServeProcess server) throws Exception {
        try (server) {
            server.awaitReady();
            server.terminate();
            assertThat(server.exitCode()).isZero();
            return server.log();
        }
    }

    private static void assertNothingOldIsBack(RespConnection client) throws IOException {
        for (int block = 0; block < BLOCKS; block += 2) {
            assertThat(client.call("GET", key(block))).as("block %d", block).isEqualTo(new Reply.Nil());
            assertThat(client.call("GET", key(block + 1)))
                    .as("block %d", block + 1)
                    .isIn(new Reply.Nil(), new Reply.Bulk(value(block + 1 + BLOCKS)));
        }
    }

    /** A server with a state directory of its own. */
    private ServeProcess other(Path directory) throws Exception {
        return ServeProcess.start(
                folder.resolve("other"),
                "--dram",
                "16Mi",
                "--ssd",
                "64Mi",
                "--ssd-dir",
                directory.toString(),
                "--redis-port",
                "0",
                "--http-port",
                "0");
    }

    @Test
    void aDirectoryOfAnotherServerIsNeverEmptiedUnlessThatIsAskedFor() throws Exception {
        Path theirs = folder.resolve("theirs");
        try (ServeProcess other = other(theirs);
                RespConnection client = connect(other)) {
            for (int block = 0; block < BLOCKS; block++) {
                client.call("SET", key(block), value(block));
            }
            awaitOnSsd(client, BLOCKS / 2);
            try (ServeProcess mine = with("128Mi", folder.resolve("mine"), theirs)) {
                mine.awaitReady();
                assertThat(mine.log()).contains("is left out").contains("in use by another process");
                other.kill();
                Awaitility.await()
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> mine.log().contains("was last used by the server of another state directory"));
            }
        }
        try (ServeProcess again = other(theirs);
                RespConnection client = connect(again)) {
            assertThat(onSsd(client)).hasSizeGreaterThan(BLOCKS / 4);
        }
    }

    private static RespConnection connect(ServeProcess server) throws IOException {
        Endpoint socket =
                new Endpoint.Unix(Path.of(server.awaitReady().sockets().getFirst()));
        return RespConnection.open(socket, BLOCK_BYTES, ANSWER_MILLIS);
    }

    private static String key(int block) {
        return "block-" + block;
    }

    private static String value(int block) {
        return "%08d".formatted(block).repeat(BLOCK_BYTES / 8);
    }

    /** Asks until so many blocks are on SSD and memory is below its high mark, so that nothing moves any more. */
    private static List<Integer> awaitOnSsd(RespConnection client, int atLeast) throws Exception {
        return awaitOn(client, "ssd0", atLeast);
    }

    private static List<Integer> awaitOn(RespConnection client, String backend, int atLeast) throws Exception {
        List<Integer> before = List.of();
        List<Integer> now = on(client, backend);
        while (now.size() < atLeast || now.size() != before.size()) {
            Thread.sleep(POLL_MILLIS);
            before = now;
            now = on(client, backend);
        }
        return now;
    }

    private static List<Integer> onSsd(RespConnection client) throws IOException {
        return on(client, "ssd0");
    }

    private static List<Integer> on(RespConnection client, String backend) throws IOException {
        List<Integer> blocks = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            if (client.call("TM.WHERE", key(block)).toString().contains(backend)) {
                blocks.add(block);
            }
        }
        return blocks;
    }

    private long occupiedBytes() throws Exception {
        Process du = new ProcessBuilder("du", "-s", "--block-size=1", state().toString()).start();
        try (BufferedReader out = du.inputReader()) {
            return Long.parseLong(out.readLine().split("\t", -1)[0]);
        }
    }
}
