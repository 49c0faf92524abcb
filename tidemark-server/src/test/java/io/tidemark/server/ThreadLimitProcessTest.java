package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidemark serve} as a process in a group that may have so many threads and no more. */
@Timeout(120)
class ThreadLimitProcessTest {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup/pids");
    private static final List<String> FLAGS =
            List.of("--ssd", "64Mi", "--redis-port", "0", "--http-port", "0", "--dram", "32Mi");

    @TempDir
    private Path folder;

    private Path group = GROUPS;

    @BeforeEach
    void aGroup() throws IOException {
        assumeTrue(Files.isWritable(GROUPS), "no limit of threads here: it takes root and the pids controller");
        group = Files.createDirectory(
                GROUPS.resolve("tidemark-test-" + ProcessHandle.current().pid()));
    }

    @AfterEach
    void noGroup() throws IOException {
        if (!group.equals(GROUPS)) {
            Files.deleteIfExists(group);
        }
    }

    private ServeProcess start(String most) throws IOException {
        Files.writeString(group.resolve("pids.max"), most);
        // else the JVM's compilers and collectors come and go with the load, and a start may do with some threads fewer
        String steady =
                "export JAVA_TOOL_OPTIONS='-XX:-UseDynamicNumberOfCompilerThreads -XX:-UseDynamicNumberOfGCThreads'";
        List<String> wrapper =
                List.of("sh", "-c", steady + " && echo $$ > " + group + "/cgroup.procs && exec \"$@\"", "sh");
        return ServeProcess.start(wrapper, folder.resolve("state"), FLAGS.toArray(String[]::new));
    }

    private long threadsNow() throws IOException {
        return Long.parseLong(Files.readString(group.resolve("pids.current")).strip());
    }

    @Test
    void aStartTakesAsManyAsTheDoctorSaysAndOneWithFewerSaysWhatToRaise() throws Exception {
        Origin flag = new Origin.Flag("test");
        ThreadNeed need = ThreadNeed.of(
                Effective.resolve(
                                Optional.empty(),
                                Map.of(),
                                Map.of(
                                        "ssd.capacity", new Given("64Mi", flag),
                                        "dram.capacity", new Given("32Mi", flag),
                                        "state-dir",
                                                new Given(
                                                        folder.resolve("state").toString(), flag)))
                        .config(),
                Runtime.getRuntime().availableProcessors());
        long serving;
        try (ServeProcess server = start("max")) {
            server.awaitReady();
            serving = threadsNow();
            server.kill();
        }
        assertThat(serving).isBetween(need.atStart() / 2, need.atStart());
        try (ServeProcess server = start(Long.toString(need.atStart()))) {
            server.awaitReady();
            server.kill();
        }
        // the last threads of a start are its event loops and the line of the summary
        try (ServeProcess server = start(Long.toString(serving - 4))) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.log())
                    .containsPattern("the system starts no thread for it: \\d+ threads of " + (serving - 4)
                            + " are there \\(the limit in " + group
                            + "/pids.max\\); a server with these settings takes "
                            + need.atStart() + " to start and up to " + need.most()
                            + "; raise TasksMax=, --pids-limit or podPidsLimit to \\d+");
        }
        try (Stream<Path> left = Files.list(folder.resolve("state"))) {
            assertThat(left.map(file -> file.getFileName().toString())).doesNotContain("server.json");
        }
    }
}
