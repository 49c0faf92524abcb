package io.tidemark.server;

import io.tidemark.server.http.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code tidemark serve} in a process of its own, for tests that kill it. */
final class ServeProcess implements AutoCloseable {
    private static final long EXIT_MILLIS_MAX = 60_000;

    private final Process process;
    private final BufferedReader stdout;
    private final Path stderr;

    private ServeProcess(Process process, Path stderr) {
        this.process = process;
        this.stdout = process.inputReader();
        this.stderr = stderr;
    }

    /** Starts a server that keeps its state in {@code state}; does not wait for anything. */
    static ServeProcess start(Path state, String... flags) throws IOException {
        return start(List.of(), state, flags);
    }

    /** Starts it below a wrapper, for example {@code unshare}. */
    static ServeProcess start(List<String> wrapper, Path state, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(flags));
        if (!all.contains("--dram")) {
            all.addAll(List.of("--dram", "32Mi"));
        }
        return launch(wrapper, state, Map.of(), all);
    }

    /** Starts it on free ports with these flags only. */
    static ServeProcess startPlain(Path state, String... flags) throws IOException {
        return startPlain(Map.of(), state, flags);
    }

    /** Starts it on free ports with these flags and these variables only. */
    static ServeProcess startPlain(Map<String, String> variables, Path state, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of("--redis-port", "0", "--http-port", "0"));
        return launch(List.of(), state, variables, all);
    }

    private static ServeProcess launch(
            List<String> wrapper, Path state, Map<String, String> variables, List<String> flags) throws IOException {
        List<String> all = new ArrayList<>(List.of("--state-dir", state.toString()));
        all.addAll(flags);
        return launch(wrapper, variables, all);
    }

    /** Starts it below a wrapper with these variables and flags, and nothing else. */
    static ServeProcess launch(List<String> wrapper, Map<String, String> variables, List<String> flags)
            throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m"));
        command.addAll(List.of("-XX:MaxDirectMemorySize=64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-Xshare:auto", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.tidemark.server.cli.Main", "serve", "--json"));
        command.addAll(flags);
        Path stderr = Files.createTempFile("tidemark-serve", ".log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(stderr.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMARK_") || name.startsWith("UMBP_"));
        builder.environment().putAll(variables);
        return new ServeProcess(builder.start(), stderr);
    }

    /** Waits until it serves; fails with its log when it ends before. */
    Endpoints awaitReady() throws IOException {
        String line = stdout.readLine();
        if (line == null) {
            throw new AssertionError("the server ended before it was ready: " + log());
        }
        return Json.read(line, Ready.class).server();
    }

    /** What {@code serve --json} writes. */
    record Ready(String event, long startMilliseconds, Endpoints server) {}

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends SIGKILL and waits. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits for the end; the exit code. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(EXIT_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the server does not end");
        }
        return process.exitValue();
    }

    /** What it wrote to stderr so far. */
    String log() throws IOException {
        return Files.readString(stderr);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(stderr);
    }
}
