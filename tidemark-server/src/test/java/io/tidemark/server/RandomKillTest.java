package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.http.Json;
import io.tidemark.server.replay.Endpoint;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a whole server at random moments while clients mix commands over two tiers and blocks move both ways, and starts it
 * again on what it left, over and over. No answered delete comes back, no answered overwrite shows the older value, no byte
 * is wrong, what was seen on SSD a second before is served, and the account and the directory stay within their bounds.
 *
 * <p>{@code -Dtidemark.kill.rounds=N} for more kills, {@code -Dtidemark.kill.seed=N} for other ones.
 */
class RandomKillTest {
    private static final int ROUNDS = Integer.getInteger("tidemark.kill.rounds", 8);
    private static final long SEED = Long.getLong("tidemark.kill.seed", 30);
    private static final long SSD_BYTES = 64L << 20;
    private static final long SLACK_BYTES = 8L << 20;
    private static final int CLIENTS = 3;
    private static final int QUIET_KEYS = 40;
    private static final long JOIN_SECONDS = 60;
    private static final double SERVED = 0.99;
    /** So many blocks have to be promised before a share of them says anything. */
    private static final long ENOUGH = 100;

    private static final int MORE = 10;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void g88_g94_noAnswerIsTakenBackByAKillAtAnyMoment(int directories) throws Exception {
        System.out.println("seed " + SEED + ", " + directories + " directories, " + ROUNDS / 2 + " rounds");
        Random random = new Random(SEED + directories);
        List<MixedClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new MixedClient("c" + i, new Random(random.nextLong()), QUIET_KEYS));
        }
        int rounds = ROUNDS / 2;
        for (int round = 0; round < rounds || (promised(clients) < ENOUGH && round < MORE * rounds); round++) {
            round(directories, round, random, clients);
        }
        long promised = promised(clients);
        long served = clients.stream().mapToLong(client -> client.served).sum();
        long commands = clients.stream().mapToLong(client -> client.commands).sum();
        System.out.println(commands + " commands, " + served + " of " + promised + " promised blocks were served");
        assertThat(promised).as("blocks that had been on SSD for a second").isGreaterThanOrEqualTo(ENOUGH);
        assertThat((double) served / promised).isGreaterThanOrEqualTo(SERVED);
    }

    private static long promised(List<MixedClient> clients) {
        return clients.stream().mapToLong(client -> client.promised).sum();
    }

    private ServeProcess start(int directories, int round) throws IOException {
        List<String> flags = new ArrayList<>(List.of("--dram", "16Mi", "--ssd", (directories * 64) + "Mi"));
        for (int i = 0; i < directories; i++) {
            flags.addAll(List.of("--ssd-dir", folder.resolve("ssd" + i).toString()));
        }
        flags.addAll(List.of("--ssd-promote", round % 3 == 2 ? "copy" : "move"));
        return ServeProcess.startPlain(folder.resolve("state"), flags.toArray(String[]::new));
    }

    private void round(int directories, int round, Random random, List<MixedClient> clients) throws Exception {
        long lifeMillis = random.nextInt(3) == 0 ? 20 + random.nextInt(500) : 1_500 + random.nextInt(1_000);
        try (ServeProcess server = start(directories, round)) {
            Endpoints where = server.awaitReady();
            assertThat(occupiedBytes()).isLessThanOrEqualTo(directories * SSD_BYTES + SLACK_BYTES);
            assertAccountsBalance(where);
            Endpoint socket = new Endpoint.Unix(Path.of(where.sockets().getFirst()));
            long killNanos = whileUsed(clients, socket, lifeMillis, () -> end(server, round % 4 == 3));
            long now = System.currentTimeMillis();
            clients.forEach(client -> client.killed(killNanos, now));
            assertThat(server.log()).doesNotContain("ERROR");
        } catch (AssertionError | ExecutionException e) {
            throw new AssertionError("seed " + SEED + ", " + directories + " directories, round " + round, e);
        }
    }

    private interface End {
        void run() throws Exception;
    }

    private static void end(ServeProcess server, boolean politely) throws Exception {
        if (politely) {
            server.terminate();
            assertThat(server.exitCode()).isZero();
        } else {
            server.kill();
        }
    }

    /** Ends the server after so long, or when a client fails; answers when, in nanoseconds. */
    private static long whileUsed(List<MixedClient> clients, Endpoint socket, long millis, End end) throws Exception {
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            List<CompletableFuture<Void>> running = clients.stream()
                    .map(client -> CompletableFuture.runAsync(() -> use(client, socket), threads))
                    .toList();
            long endNanos;
            try {
                awaitFailure(running, millis);
            } finally {
                endNanos = System.nanoTime();
                end.run();
            }
            // what they saw between the end of the wait and that of the server counts too
            CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).get(JOIN_SECONDS, TimeUnit.SECONDS);
            return endNanos;
        }
    }

    /** Lets the clients run for so long; a client that ends before, or with anything but a broken connection, fails. */
    private static void awaitFailure(List<CompletableFuture<Void>> running, long millis) throws Exception {
        try {
            CompletableFuture.anyOf(running.toArray(CompletableFuture[]::new)).get(millis, TimeUnit.MILLISECONDS);
            throw new AssertionError("a client ended before the kill");
        } catch (TimeoutException _) {
            // as it should be
        }
    }

    private static void use(MixedClient client, Endpoint server) {
        try {
            client.run(server);
        } catch (EOFException | SocketException _) {
            // the kill
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).matches(".*(Broken pipe|reset by peer|Connection reset).*")) {
                throw new AssertionError(e);
            }
        }
    }

    private static void assertAccountsBalance(Endpoints where) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String body = http.send(
                            HttpRequest.newBuilder(URI.create(where.http() + "/api/v1/status"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            Json.read(body, ServerStatus.class).pool().backends().forEach(backend -> {
                assertThat(backend.freeBytes()
                                + backend.reservedBytes()
                                + backend.residentBytes()
                                + backend.doomedBytes())
                        .as("%s", backend)
                        .isEqualTo(backend.capacityBytes());
                assertThat(backend.doomedBytes()).isZero();
                assertThat(backend.illness()).isEmpty();
            });
        }
    }

    private long occupiedBytes() throws Exception {
        Process du = new ProcessBuilder("du", "-s", "--block-size=1", folder.toString()).start();
        try (BufferedReader out = du.inputReader()) {
            return Long.parseLong(out.readLine().split("\t", -1)[0]);
        }
    }
}
