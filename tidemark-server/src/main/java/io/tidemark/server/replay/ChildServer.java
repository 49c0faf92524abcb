package io.tidemark.server.replay;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A server of our own in a process of its own, on a Unix socket in a temporary folder: Tidemark, or {@code redis-server}
 * to stand beside it. Ends with {@link #close} or with this JVM, and takes its folder along.
 */
public final class ChildServer implements AutoCloseable {
    private static final long START_MILLIS = 60_000;
    private static final long STOP_MILLIS = 5_000;
    private static final long POLL_NANOS = 10_000_000;
    private static final String MAIN = "io.tidemark.server.cli.Main";

    /** Memory of a server that is started without settings. */
    private static final List<String> SERVER_FLAGS = List.of("-Xmx512m", "-XX:MaxDirectMemorySize=256m");

    private final String name;
    private final Process process;
    private final Path folder;
    private final Endpoint endpoint;
    private final Thread endWithJvm;

    private ChildServer(String name, Process process, Path folder) {
        this.name = name;
        this.process = process;
        this.folder = folder;
        this.endpoint = new Endpoint.Unix(socket(folder));
        this.endWithJvm = new Thread(this::end, "end-" + name);
    }

    /** The program {@code redis-server}, when it is on the PATH. */
    public static Optional<Path> redisProgram() {
        return program(
                "redis-server", Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    /** The first program of this name in a list of folders; entries that are no path of this locale hold none that can be started. */
    static Optional<Path> program(String name, String folders) {
        for (String folder : folders.split(File.pathSeparator, -1)) {
            try {
                Path program = Path.of(folder, name);
                if (!folder.isEmpty() && Files.isExecutable(program)) {
                    return Optional.of(program);
                }
            } catch (InvalidPathException _) {
                // the next one
            }
        }
        return Optional.empty();
    }

    /** Starts {@code redis-server} with {@code maxmemory}, {@code allkeys-lru} and without persistence. */
    public static ChildServer redis(Path program, long memoryBytes) throws IOException {
        Path folder = newFolder();
        return start("redis-server", folder, redisCommand(program, folder, memoryBytes), true);
    }

    /** Starts {@code tidemark serve} from this JVM's own classes, with that much DRAM, on free ports. */
    public static ChildServer tidemark(long memoryBytes) throws IOException {
        Path folder = newFolder();
        List<String> command = javaCommand(SERVER_FLAGS, MAIN, "serve");
        command.addAll(List.of("--state-dir", folder.resolve("state").toString()));
        command.addAll(List.of("--redis-socket", socket(folder).toString()));
        command.addAll(List.of("--dram", Long.toString(memoryBytes)));
        return start("tidemark", folder, command, true);
    }

    /** Starts a class of this JVM's path that listens on the socket it is given and need not answer PING. */
    public static ChildServer mainOf(Class<?> type) throws IOException {
        Path folder = newFolder();
        return start(
                type.getSimpleName(),
                folder,
                javaCommand(List.of(), type.getName(), socket(folder).toString()),
                false);
    }

    /** Where it listens. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(endWithJvm);
        } catch (IllegalStateException e) {
            return; // the JVM is going down: the hook does the rest
        }
        end();
    }

    private static ChildServer start(String name, Path folder, List<String> command, boolean pings) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(folder).toFile())
                .start();
        ChildServer server = new ChildServer(name, process, folder);
        Runtime.getRuntime().addShutdownHook(server.endWithJvm);
        try {
            server.awaitReady(pings);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private void awaitReady(boolean pings) throws IOException {
        long deadline = System.nanoTime() + START_MILLIS * 1_000_000;
        while (process.isAlive() && System.nanoTime() < deadline) {
            try (RespConnection connection = RespConnection.open(endpoint, 0, START_MILLIS)) {
                if (!pings || connection.call("PING") instanceof Reply.Status) {
                    return;
                }
            } catch (IOException notYet) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        String end = process.isAlive() ? " does not answer" : " ended with code " + process.exitValue();
        throw new IOException(name + end + ": " + Files.readString(log(folder)).strip());
    }

    private void end() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        deleteFolder();
    }

    /** Deletes what was ours to make; what cannot be deleted stays in the temporary folder. */
    private void deleteFolder() {
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException left) {
            System.getLogger(ChildServer.class.getName()).log(System.Logger.Level.WARNING, "left behind: {0}", folder);
        }
    }

    private static List<String> redisCommand(Path program, Path folder, long memoryBytes) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--port", "0", "--save", ""));
        command.addAll(List.of("--unixsocket", socket(folder).toString(), "--appendonly", "no"));
        command.addAll(List.of("--maxmemory", Long.toString(memoryBytes), "--maxmemory-policy", "allkeys-lru"));
        return command;
    }

    /** This JVM's java, flags and classes; of flags that set one thing twice, the last counts. */
    private static List<String> javaCommand(List<String> moreFlags, String... words) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(moreFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(words));
        return command;
    }

    private static Path newFolder() throws IOException {
        return Files.createTempDirectory("tidemark-child");
    }

    private static Path socket(Path folder) {
        return folder.resolve("resp.sock");
    }

    private static Path log(Path folder) {
        return folder.resolve("log");
    }
}
