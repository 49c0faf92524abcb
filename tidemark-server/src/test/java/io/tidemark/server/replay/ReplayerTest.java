package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays against a server that a test plays, one command at a time. */
@Timeout(30)
class ReplayerTest {
    private static final int BLOCK_BYTES = 64;

    @TempDir
    private Path folder;

    private final AtomicInteger connections = new AtomicInteger();
    private ServerSocket listening = closedSocket();

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    @Test
    void whatIsRefusedForTheMomentIsSentAgainAndCounted() throws Exception {
        AtomicInteger puts = new AtomicInteger();
        serve(command -> command.equals("SET") && puts.getAndIncrement() < 2 ? "-TRYAGAIN not now\r\n" : "+OK\r\n");

        ReplayReport report = replay(1);

        assertThat(report.counts().retries()).isEqualTo(2);
        assertThat(report.counts().storedBlocks()).isEqualTo(4);
        assertThat(report.counts().refusedPuts()).isZero();
    }

    @Test
    void aFailingClientStopsTheOthersWhicheverIsWaitedFor() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        serve(_ -> {
            if (Thread.currentThread().getName().equals("conversation-1")) {
                failed.countDown();
                return "-ERR broken\r\n";
            }
            failed.await();
            return "+OK\r\n";
        });
        String far = "{\"timestamp\": 86400000, \"input_length\": 512, \"output_length\": 1, \"hash_ids\": [9]}\n";
        Trace trace = trace(requests() + far);

        // as recorded, the first client would wait a day for the last request
        assertThatThrownBy(() -> replay(trace, 2, Pace.parse("real")))
                .isInstanceOf(ServerRefusedException.class)
                .hasMessageContaining("broken");
    }

    private ReplayReport replay(int clients) throws Exception {
        return replay(trace(requests()), clients, Pace.parse("asap"));
    }

    private ReplayReport replay(Trace trace, int clients, Pace pace) throws Exception {
        Endpoint endpoint = new Endpoint.Tcp("127.0.0.1", listening.getLocalPort(), Optional.empty());
        return new Replayer(trace, new ReplayOptions(endpoint, BLOCK_BYTES, clients, pace), System::nanoTime)
                .run((counts, total, seconds) -> {});
    }

    private static String requests() {
        StringBuilder lines = new StringBuilder();
        for (int request = 0; request < 2; request++) {
            lines.append("{\"timestamp\": %d, \"input_length\": 1024, \"output_length\": 1, \"hash_ids\": [%d, %d]}%n"
                    .formatted(request, 2 * request, 2 * request + 1));
        }
        return lines.toString();
    }

    private Trace trace(String lines) throws IOException {
        return TraceReader.read(Files.writeString(folder.resolve("trace.jsonl"), lines));
    }

    /** What a server says to a command, by its name. */
    private interface Answers {
        String to(String command) throws InterruptedException;
    }

    private void serve(Answers answers) {
        Thread.ofPlatform().daemon().start(() -> {
            while (!listening.isClosed()) {
                try {
                    Socket client = listening.accept();
                    Thread.ofPlatform()
                            .daemon()
                            .name("conversation-" + connections.getAndIncrement())
                            .start(() -> converse(client, answers));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    private void converse(Socket client, Answers answers) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            OutputStream out = client.getOutputStream();
            for (List<String> command = read(in); !command.isEmpty(); command = read(in)) {
                String name = command.getFirst().toUpperCase(Locale.ROOT);
                String answer = switch (name) {
                    case "EXISTS" -> ":0\r\n";
                    case "TM.STATUS" -> "-ERR unknown command\r\n";
                    case "INFO" -> "$0\r\n\r\n";
                    case "COMMAND" -> "*1\r\n*-1\r\n";
                    default -> answers.to(name);
                };
                out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        } catch (IOException | InterruptedException _) {
            // the client went away
        }
    }

    private static List<String> read(BufferedReader in) throws IOException {
        List<String> words = new ArrayList<>();
        String header = in.readLine();
        int count = header == null ? 0 : Integer.parseInt(header.substring(1));
        for (int i = 0; i < count; i++) {
            char[] word = new char[Integer.parseInt(in.readLine().substring(1))];
            for (int got = 0; got < word.length; ) {
                got += in.read(word, got, word.length - got);
            }
            in.readLine();
            words.add(new String(word));
        }
        return words;
    }

    private static ServerSocket closedSocket() {
        try {
            return new ServerSocket();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
