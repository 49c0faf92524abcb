package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A server process over SSD directories from which reads bring nothing up, with 16 MiB of memory if not told otherwise, and one client of it. */
final class SsdServer implements AutoCloseable {
    static final int BLOCK_BYTES = 64 << 10;
    static final int BLOCKS = 400;
    static final Reply OK = new Reply.Status("OK");
    private static final long ANSWER_MILLIS = 30_000;

    final ServeProcess process;
    final RespConnection client;
    private final Endpoints where;

    private SsdServer(ServeProcess process) throws IOException {
        this.process = process;
        where = process.awaitReady();
        client = connect();
    }

    static SsdServer start(Path state, String ssdBytes, Path... directories) throws IOException {
        return start(List.of(), "16Mi", state, ssdBytes, directories);
    }

    /** With that much memory, and below a wrapper as {@link ServeProcess} takes it. */
    static SsdServer start(List<String> wrapper, String dram, Path state, String ssdBytes, Path... directories)
            throws IOException {
        Stream<String> flags = Stream.of("--dram", dram, "--ssd", ssdBytes, "--ssd-promote", "none");
        Stream<String> ports = Stream.of("--redis-port", "0", "--http-port", "0");
        Stream<String> places = Stream.of(directories).flatMap(place -> Stream.of("--ssd-dir", place.toString()));
        String[] all = Stream.of(flags, ports, places).flatMap(some -> some).toArray(String[]::new);
        return new SsdServer(ServeProcess.start(wrapper, state, all));
    }

    RespConnection connect() throws IOException {
        return connect(BLOCK_BYTES);
    }

    /** A connection for values up to this size. */
    RespConnection connect(int valueBytes) throws IOException {
        return RespConnection.open(new Endpoint.Unix(Path.of(where.sockets().getFirst())), valueBytes, ANSWER_MILLIS);
    }

    static String key(int block) {
        return "block-" + block;
    }

    static String value(int block) {
        return "%08d".formatted(block).repeat(BLOCK_BYTES / 8);
    }

    Reply set(int block) throws IOException {
        return client.call("SET", key(block), value(block));
    }

    /** Sends a command and waits for no answer. */
    static void ask(RespConnection connection, String... words) throws IOException {
        connection.command(words.length);
        for (String word : words) {
            connection.argument(word.getBytes(StandardCharsets.UTF_8));
        }
        connection.flush();
    }

    Reply get(int block) throws IOException {
        return client.call("GET", key(block));
    }

    void assertServed(int block) throws IOException {
        assertThat(get(block)).as("block %d", block).isEqualTo(new Reply.Bulk(value(block)));
    }

    /** Blocks up to this one of which a copy is there. */
    List<Integer> on(String backend, int end) throws IOException {
        List<Integer> found = new ArrayList<>();
        for (int block = 0; block < end; block++) {
            if (client.call("TM.WHERE", key(block)).toString().contains(backend)) {
                found.add(block);
            }
        }
        return found;
    }

    /** Stores what memory cannot hold, and waits until it went down, some to each of these: one that is busy gets fewer. */
    void fill(String... backends) throws IOException {
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(set(block)).isEqualTo(OK);
        }
        for (String backend : backends) {
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> on(backend, BLOCKS).size() > BLOCKS / 20);
        }
        await().atMost(Duration.ofSeconds(90))
                .until(() -> !client.call("TM.STATUS").toString().contains("moving"));
    }

    /** Body of a page of the admin server. */
    String page(String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(where.http() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.close();
    }
}
