package io.tidemark.server.cli;

import io.tidemark.server.Endpoints;
import io.tidemark.server.Shutdown;
import io.tidemark.server.config.Effective;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Starts a server in a temporary folder, lets it work a little and stops it, several times, so that the start script can have
 * the JVM write down the classes that a start loads. Runs without picocli: what names its classes would have them loaded by every
 * start from then on.
 */
final class ServeWarmUp {
    /** The command of it, which has no arguments. */
    static final String COMMAND = "warm-up";

    private static final long TIMEOUT_MILLIS = 10_000;

    /** Each takes a page. */
    private static final int BLOCKS = 24_000;

    /**
     * So many values are stored and read: what that takes is then known as code that the better compiler made, and is made by
     * it soon once a server serves. With fewer it is known as code that it did not, and waits longer than what is unknown.
     */
    private static final int VALUES = 40_000;

    /** More than is copied: such a value goes straight from the connection to its place and back. */
    private static final int VALUE_BYTES = 16 << 10;

    /** Starts on the blocks of the first one; enough for the JVM to learn which code a start is busy with. */
    private static final int STARTS = 4;

    private ServeWarmUp() {}

    /** What is done in a folder. */
    interface InFolder {
        void run(Path folder) throws Exception;
    }

    /** What a server needs. */
    static void run() throws Exception {
        run(ServeWarmUp::use);
    }

    /** As {@link #run()}, where this is done with the first server. */
    static void run(Work work) throws Exception {
        Early.begin();
        inFolder(folder -> serve(folder, work));
    }

    /** Makes a folder for the time of the work. */
    static void inFolder(InFolder work) throws Exception {
        Path folder = Files.createTempDirectory("tidemark-warm-up");
        try {
            work.run(folder);
        } finally {
            delete(folder);
        }
    }

    private static void serve(Path folder, Work work) throws Exception {
        leaveOn(Shutdown.onSignals());
        serveOnce(folder, endpoints -> {
            work.with(endpoints);
            fill(endpoints);
        });
        for (int i = 0; i < STARTS; i++) {
            serveOnce(folder, endpoints -> {});
        }
    }

    /**
     * Leaves as failed once a signal comes: signals are heard as by a server, but nothing here awaits them, and who asked for
     * the run must not take what it left for whole.
     */
    private static void leaveOn(Shutdown signals) {
        Thread.ofPlatform().daemon().name("warm-up-signals").start(() -> {
            try {
                signals.await();
                Runtime.getRuntime().halt(Serving.FAILED);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // nobody does: the run goes on, unheard
            }
        });
    }

    /** What is done with a server. */
    interface Work {
        void with(Endpoints endpoints) throws IOException, InterruptedException;
    }

    /** Starts a server as the command line does, works with it, and stops it. */
    private static void serveOnce(Path folder, Work work) throws Exception {
        String state = folder.resolve("state").toString();
        PlainFlags flags = PlainFlags.read(
                        new String[] {
                            "--state-dir",
                            state,
                            "--dram=16Mi",
                            "--ssd=128Mi",
                            "--redis-port=0",
                            "--http-port=0",
                            "--json"
                        },
                        0)
                .orElseThrow();
        Effective effective = PlainStart.source(flags, environment()).read();
        Shutdown shutdown = Shutdown.byHand();
        Serving serving = new Serving(effective, effective.config(), ready -> {
            try {
                PlainStart.TELLS_JSON.accept(ready);
                work.with(ready.server());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                shutdown.request();
            }
        });
        serving.run(shutdown);
    }

    /** The variables of the process, as a start reads them, without those that say how this server is to be. */
    private static Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.keySet().removeIf(name -> name.startsWith("TIDEMARK_") || name.startsWith("UMBP_"));
        return variables;
    }

    /** Stores more than the memory holds, so that the next starts find blocks on SSD. */
    private static void fill(Endpoints endpoints) throws IOException {
        Endpoint socket = new Endpoint.Unix(Path.of(endpoints.sockets().getFirst()));
        try (RespConnection connection = RespConnection.open(socket, 1024, TIMEOUT_MILLIS)) {
            for (int block = 0; block < BLOCKS; block++) {
                connection.call("SET", "block-" + block, "value");
            }
        }
    }

    private static void use(Endpoints endpoints) throws IOException {
        Endpoint socket = new Endpoint.Unix(Path.of(endpoints.sockets().getFirst()));
        try (RespConnection connection = RespConnection.open(socket, 1024, TIMEOUT_MILLIS)) {
            connection.call("PING");
            connection.call("SET", "key", "value");
            connection.call("EXISTS", "key");
            connection.call("GET", "key");
            connection.call("INFO");
            String value = "v".repeat(VALUE_BYTES);
            for (int at = 0; at < VALUES; at++) {
                connection.call("SET", "value-" + at, value);
                connection.call("GET", "value-" + (at - at % 8));
            }
        }
        for (String path : List.of("/readyz", "/metrics", "/api/v1/status")) {
            ask(URI.create(endpoints.http()), path);
        }
    }

    /** Without the JDK's client of HTTP, whose classes each start would load from the cache and never use. */
    private static void ask(URI server, String path) throws IOException {
        String request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
        try (Socket connection = new Socket(server.getHost(), server.getPort())) {
            connection.setSoTimeout((int) TIMEOUT_MILLIS);
            connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            connection.getInputStream().readAllBytes();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
