package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The hook for engines, {@code deploy/hooks/touch_log.py}, run by Python as an engine would. */
@Timeout(60)
class TouchHookTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final String LOG = "tidemark-touch.log";

    @TempDir
    private Path mount;

    private CacheFiles cache;
    private Path block;

    @BeforeEach
    void aBlock() throws IOException {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/env")) && python("print()").contains("exit 0"), "needs python3");
        cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        block = cache.block(RANK, 1, Duration.ofDays(1));
    }

    /** What a script that has the hook, and the paths of {@code arguments}, prints; and its exit code. */
    private static String python(String script, Path... arguments) throws IOException {
        Path hooks =
                Path.of(System.getenv().getOrDefault("TIDEMARK_ROOT", "..")).resolve("deploy/hooks");
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/env",
                "python3",
                "-B",
                "-c",
                """
                import os, sys, time
                sys.path.insert(0, sys.argv[1])
                from touch_log import TouchLog
                """ + script,
                hooks.toAbsolutePath().toString()));
        for (Path argument : arguments) {
            command.add(argument.toString());
        }
        Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return text + "exit " + python.waitFor();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private List<String> hashes() throws IOException {
        Path log = cache.root.resolve(RANK).resolve(LOG);
        return Files.readAllLines(log).stream()
                .map(line -> line.replaceFirst(" \\d{10}$", ""))
                .toList();
    }

    private String hash() {
        return block.getFileName().toString().replace(".bin", "");
    }

    @Test
    void whatWaitsIsWrittenAfterAWhileThoughNothingElseIsRead() throws Exception {
        String out = python("""
                log = TouchLog(seconds=0.05)
                log.touched(sys.argv[2])
                end = time.time() + 30
                while not os.path.exists(sys.argv[3]) and time.time() < end:
                    time.sleep(0.01)
                time.sleep(0.05)
                os._exit(0)  # without an orderly end, so that only the timer can have written
                """, block, cache.root.resolve(RANK).resolve(LOG));
        assertThat(out).endsWith("exit 0");
        assertThat(hashes()).containsExactly(hash());
    }

    @Test
    void whatWaitsIsWrittenAtTheEndOfAProcessAndOfItsWorkers() throws Exception {
        Path other = cache.block("m_0123456789ab_r1", 2, Duration.ofDays(1));
        String out = python("""
                import multiprocessing
                log = TouchLog(seconds=3600)
                log.touched(sys.argv[2])
                worker = multiprocessing.get_context("fork").Process(target=log.touched, args=(sys.argv[3],))
                worker.start()
                worker.join()
                """, block, other);
        assertThat(out).isEqualTo("exit 0");
        assertThat(hashes()).as("by the parent alone").containsExactly(hash());
        assertThat(cache.root.resolve("m_0123456789ab_r1").resolve(LOG)).isNotEmptyFile();

        TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        TestClocks clocks = new TestClocks();
        try (RunningSweeper running =
                new RunningSweeper(RunningSweeper.config(mount, settings -> settings), calls, clocks)) {
            running.awaitPasses(1, 30);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (running.sweeper.status().recencySource() != RecencySource.TOUCH_LOG) {
                assertThat(System.nanoTime() - end).as("the sweeper reads it").isNegative();
                clocks.passTime(Duration.ofSeconds(1));
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    @Test
    void aLogThatMayNotBeWrittenIsToldOnceAndCostsNothing() throws Exception {
        Files.setPosixFilePermissions(mount, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(cache.root.resolve(RANK), PosixFilePermissions.fromString("r-xr-xr-x"));
        String out = python("""
                if os.getuid() == 0:
                    os.setuid(65534)
                log = TouchLog(batch=1)
                for i in range(3):
                    log.touched(sys.argv[2])
                log.touched(sys.argv[3] + "/gone_r0/abc/00_g0/0123456789abcdef.bin")
                """, block, cache.root);
        assertThat(out).endsWith("exit 0");
        assertThat(out.lines().filter(line -> line.startsWith("no touch log in ")))
                .singleElement()
                .asString()
                .contains(cache.root.resolve(RANK) + ": [Errno 13] Permission denied", "look unused");
    }
}
