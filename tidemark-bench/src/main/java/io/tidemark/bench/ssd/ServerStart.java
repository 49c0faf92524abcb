package io.tidemark.bench.ssd;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts of a whole server, as {@code ./tidemark serve} makes them, on an SSD directory of an earlier process.
 *
 * @param program the program {@code tidemark}
 */
record ServerStart(Path program, Path ssd, long ssdBytes) {
    private static final long EXIT_SECONDS_MAX = 10;

    /**
     * What a start took until it served.
     *
     * @param cpuMillis processor time of all threads by then
     */
    record Taken(double wallMillis, double cpuMillis) {}

    /** Starts a server, waits until it serves, and ends it. */
    Taken once() throws IOException, InterruptedException {
        Path state = Files.createTempDirectory("tidemark-start");
        long began = System.nanoTime();
        Process server = new ProcessBuilder(command(state))
                .redirectError(state.resolve("log").toFile())
                .start();
        try (BufferedReader out = server.inputReader()) {
            if (out.readLine() == null) {
                throw new IOException("the server did not start: " + Files.readString(state.resolve("log")));
            }
            double wall = (System.nanoTime() - began) / 1e6;
            Duration cpu = server.info().totalCpuDuration().orElse(Duration.ZERO);
            return new Taken(wall, cpu.toMillis());
        } finally {
            end(server);
            remove(state);
        }
    }

    private List<String> command(Path state) {
        return List.of(
                program.toString(),
                "serve",
                "--json",
                "--state-dir",
                state.resolve("state").toString(),
                "--dram",
                "64Mi",
                "--ssd",
                Long.toString(ssdBytes),
                "--ssd-dir",
                ssd.toAbsolutePath().toString(),
                "--redis-port",
                "0",
                "--http-port",
                "0");
    }

    private static void end(Process server) throws InterruptedException {
        server.destroy();
        if (!server.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS)) {
            server.destroyForcibly().waitFor();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
