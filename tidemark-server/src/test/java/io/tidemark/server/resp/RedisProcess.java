package io.tidemark.server.resp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A real redis-server on a Unix socket in a directory of its own. */
final class RedisProcess implements AutoCloseable {
    private final Path directory;
    private final Process process;

    private RedisProcess(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /** Starts one, or skips the test where redis-server is not installed. */
    static RedisProcess start(String... more) throws Exception {
        Assumptions.assumeTrue(installed("redis-server"), "redis-server is not installed");
        Path directory = Files.createTempDirectory("redis");
        List<String> command = new ArrayList<>(List.of(
                "redis-server",
                "--port",
                "0",
                "--unixsocket",
                directory.resolve("redis.sock").toString(),
                "--save",
                "",
                "--dir",
                directory.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        RedisProcess redis = new RedisProcess(directory, process);
        redis.awaitReady();
        return redis;
    }

    /** Whether a program is on the path. */
    static boolean installed(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder).resolve(program))) {
                return true;
            }
        }
        return false;
    }

    private void awaitReady() {
        Awaitility.await("redis-server ready")
                .atMost(10, TimeUnit.SECONDS)
                .ignoreExceptions()
                .until(() -> {
                    try (RawClient client = client()) {
                        return client.call("PING").equals("+PONG\r\n");
                    }
                });
    }

    RawClient client() throws IOException {
        return RawClient.unix(directory.resolve("redis.sock"));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.deleteIfExists(directory.resolve("log"));
        Files.deleteIfExists(directory.resolve("redis.sock"));
        Files.deleteIfExists(directory);
    }
}
