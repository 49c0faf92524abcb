package io.tidemark.server;

import static io.tidemark.server.SsdServer.BLOCKS;
import static io.tidemark.server.SsdServer.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.FuseFiles.Op;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server over two SSD directories; below one of them the kernel itself hangs, fails or is slow. */
@Timeout(240)
class HungFileSystemProcessTest {
    private static final int EIO = 5;
    private static final Duration SECONDS = Duration.ofSeconds(30);
    private static final long EXIT_MILLIS_MAX = 2_000;

    @TempDir
    private Path folder;

    private FuseServer below;
    private FuseMount mount;
    private SsdServer server;
    private int next = BLOCKS;

    /** What goes wrong. */
    enum Calls {
        READS,
        WRITES,
        ALL;

        Predicate<Op> when() {
            return switch (this) {
                case READS -> Op.READ::equals;
                case WRITES -> Op.WRITE::equals;
                case ALL -> Set.of(Op.READ, Op.WRITE, Op.FSYNC, Op.GETATTR, Op.LOOKUP, Op.STATFS)::contains;
            };
        }
    }

    @BeforeEach
    void start() throws IOException {
        below = FuseServer.orSkip(folder, folder.resolve("sound"));
        mount = below.mount;
        server = below.server;
        server.fill("ssd0", "ssd1");
    }

    @AfterEach
    void stop() throws IOException {
        if (below != null) {
            below.close();
        }
    }

    /** Puts and reads in memory, and reads of the other directory, each in far less time than anything hangs. */
    private void assertOthersGoOn(List<Integer> sound) throws IOException {
        long began = System.nanoTime();
        for (int end = next + 40; next < end; next++) {
            assertThat(server.set(next)).isEqualTo(SsdServer.OK);
            server.assertServed(next);
        }
        for (int block : sound) {
            server.assertServed(block);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SECONDS);
    }

    /** Has blocks go down until the directory is named; reads of it are asked for on a connection of their own. */
    private void awaitNamed(int hungBlock) throws Exception {
        try (RespConnection reader = server.connect()) {
            SsdServer.ask(reader, "GET", key(hungBlock));
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                assertThat(server.set(next)).isEqualTo(SsdServer.OK);
                server.client.call("TM.EVICT", key(next++));
                return server.page("/readyz").contains("ssd0");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Calls.class)
    void whatHangsIsNamedHoldsUpNobodyAndComesBack(Calls calls) throws Exception {
        List<Integer> hung = server.on("ssd0", BLOCKS);
        List<Integer> sound = server.on("ssd1", BLOCKS);
        mount.inject(calls.when(), new FuseMount.Hang(below.until));
        assertOthersGoOn(sound);
        awaitNamed(hung.getFirst());
        assertThat(server.page("/readyz")).contains("has not come back");
        assertThat(server.page("/readyz")).doesNotContain("ssd1");
        assertOthersGoOn(sound);
        below.heal();
        await().atMost(SECONDS).until(() -> !server.page("/readyz").contains("ssd0"));
        for (int block : hung) {
            server.assertServed(block);
        }
    }

    @Test
    void whatFailsIsNamedAndComesBackAndWhatWasThereIsStillThere() throws Exception {
        List<Integer> lower = server.on("ssd0", BLOCKS);
        List<Integer> sound = server.on("ssd1", BLOCKS);
        mount.inject(Calls.ALL.when(), new FuseMount.Fail(EIO));
        awaitNamed(lower.getFirst());
        assertThat(server.page("/readyz")).contains("EIO");
        assertOthersGoOn(sound);
        mount.heal();
        await().atMost(SECONDS).until(() -> !server.page("/readyz").contains("ssd0"));
        for (int block : lower.subList(10, lower.size())) {
            server.assertServed(block);
        }
    }

    @Test
    void whatIsSlowIsUsedAndHoldsUpNobody() throws Exception {
        List<Integer> lower = server.on("ssd0", BLOCKS);
        List<Integer> sound = server.on("ssd1", BLOCKS);
        mount.inject(Calls.ALL.when(), new FuseMount.Slow(200));
        assertOthersGoOn(sound);
        server.assertServed(lower.getFirst());
        assertThat(server.page("/readyz")).doesNotContain("ssd0");
    }

    /** A thread that waits for a disk that is gone cannot even be killed: all the rest of the server is gone in time. */
    @ParameterizedTest
    @EnumSource(Calls.class)
    void theServerEndsInTimeAlthoughAThreadHangsInTheKernel(Calls calls) throws Exception {
        List<Integer> hung = server.on("ssd0", BLOCKS);
        mount.inject(calls.when(), new FuseMount.Hang(below.until));
        try (RespConnection reader = server.connect()) {
            SsdServer.ask(reader, "GET", key(hung.getFirst()));
            for (int end = next + 100; next < end; next++) {
                server.set(next);
                server.client.call("TM.EVICT", key(next));
            }
            await().atMost(SECONDS).until(() -> mount.hanging() > 0);
            long began = System.nanoTime();
            server.process.terminate();
            await().atMost(SECONDS).pollInterval(Duration.ofMillis(20)).until(this::hasEnded);
            assertThat((System.nanoTime() - began) / 1_000_000).isLessThan(EXIT_MILLIS_MAX);
            below.until.countDown();
            assertThat(server.process.exitCode()).isZero();
            assertThat(server.process.log())
                    .as("a stop that is cut short says where, and what that means")
                    .containsPattern(
                            "Serving: stopped|the stop was cut short: (clients were still served, \\d+ connected|the"
                                    + " pool was being closed.* with \\d+ moves)");
        }
    }

    /** Whether it is gone, but for threads that the kernel does not let go. */
    private boolean hasEnded() throws IOException {
        return !server.process.process().isAlive()
                || Files.readString(Path.of("/proc/" + server.process.pid() + "/status"))
                        .contains("State:\tZ");
    }
}
