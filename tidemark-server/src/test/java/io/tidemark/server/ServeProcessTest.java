package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts and ends of real server processes. */
@Timeout(120)
class ServeProcessTest {
    private static final long EXIT_MILLIS_MAX = 2_000;

    private static final String[] FREE_PORTS = {"--redis-port", "0", "--http-port", "0"};

    @TempDir
    private Path folder;

    private Path state() {
        return folder.resolve("state");
    }

    @Test
    void servesAndEndsWithCodeZero() throws Exception {
        try (ServeProcess server = ServeProcess.start(state(), FREE_PORTS)) {
            Endpoints endpoints = server.awaitReady();

            assertThat(endpoints.pid()).isEqualTo(server.pid());
            assertThat(get(endpoints, "/livez")).isEqualTo(200);
            assertThat(get(endpoints, "/readyz")).isEqualTo(200);
            assertThat(get(endpoints, "/metrics")).isEqualTo(200);
            assertThat(get(endpoints, "/api/v1/status")).isEqualTo(200);
            assertThat(mode(state())).isEqualTo("rwx------");
            assertThat(mode(state().resolve("redis.sock"))).isEqualTo("rw-rw----");
            assertThat(StateDir.find(state())).contains(endpoints);

            server.terminate();

            assertThat(server.exitCode()).isZero();
            assertThat(StateDir.find(state())).isEmpty();
            assertThat(state().resolve("redis.sock")).doesNotExist();
        }
    }

    private static boolean ignoresHangUp(long pid) throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored, 16) & 1) != 0;
    }

    @Test
    void sighupIsLoggedAndNothingElse() throws Exception {
        try (ServeProcess server = ServeProcess.start(state(), FREE_PORTS)) {
            Endpoints endpoints = server.awaitReady();
            Assumptions.assumeFalse(
                    ignoresHangUp(server.pid()), "SIGHUP is ignored by all that is started here, as under nohup");
            Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(server.pid())).start();
            assertThat(kill.waitFor()).isZero();

            while (!server.log().contains("SIGHUP has no effect")) {
                assertThat(server.process().waitFor(20, TimeUnit.MILLISECONDS))
                        .as(server.log())
                        .isFalse();
            }
            assertThat(get(endpoints, "/readyz")).isEqualTo(200);
            assertEndsAfterSigterm(server, 0);
        }
    }

    @Test
    void g93_sigtermEndsItWhileClientsKeepConnectionsOpenAndNeverRead() throws Exception {
        try (ServeProcess server = ServeProcess.start(state(), FREE_PORTS)) {
            Endpoints endpoints = server.awaitReady();
            List<Socket> clients = new ArrayList<>();
            for (int client = 0; client < 10; client++) {
                Socket socket = connect(endpoints.redis().getFirst());
                socket.getOutputStream().write(halfAPutAfterManyPings());
                clients.add(socket);
            }
            Socket slowHttp = connect(URI.create(endpoints.http()).getAuthority());
            slowHttp.getOutputStream().write("GET /livez HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            clients.add(slowHttp);

            assertEndsAfterSigterm(server, 0);
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void g93_afterKillMinusNineTheNextStartTakesLockAndSocketOver() throws Exception {
        try (ServeProcess first = ServeProcess.start(state(), FREE_PORTS)) {
            first.awaitReady();
            first.kill();
        }
        assertThat(state().resolve("redis.sock")).exists();
        assertThat(StateDir.find(state())).isEmpty();

        try (ServeProcess second = ServeProcess.start(state(), FREE_PORTS)) {
            Endpoints endpoints = second.awaitReady();

            assertThat(StateDir.find(state())).contains(endpoints);
        }
    }

    @Test
    void aSecondServerOnTheSameStateDirectoryIsRefusedAndToldWhoHoldsIt() throws Exception {
        try (ServeProcess first = ServeProcess.start(state(), FREE_PORTS)) {
            Endpoints endpoints = first.awaitReady();
            try (ServeProcess second = ServeProcess.start(state(), FREE_PORTS)) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.log()).contains("is in use by process " + first.pid());
            }
            assertThat(get(endpoints, "/readyz")).isEqualTo(200);
        }
    }

    @Test
    void aSocketThatAnotherServerListensOnIsRefusedAndLeftAlone() throws Exception {
        String socket = folder.resolve("shared.sock").toString();
        try (ServeProcess first = ServeProcess.start(state(), "--redis-socket", socket, "--redis-port", "0")) {
            first.awaitReady();
            try (ServeProcess second = ServeProcess.start(
                    folder.resolve("other"), "--redis-socket", socket, "--redis-port", "0", "--http-port", "0")) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.log()).contains(socket).contains("held by process " + first.pid());
            }
            assertThat(Path.of(socket)).exists();
        }
    }

    @Test
    void aGivenPortThatIsTakenStopsTheStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            try (ServeProcess server = ServeProcess.start(state(), "--redis-port", port, "--http-port", "0")) {
                assertThat(server.exitCode()).isEqualTo(1);
                assertThat(server.log()).contains("cannot listen on").contains(port);
                assertThat(server.log())
                        .contains("held by process " + ProcessHandle.current().pid());
            }
            try (ServeProcess server = ServeProcess.start(state(), "--redis-port", "0", "--http-port", port)) {
                assertThat(server.exitCode()).isEqualTo(1);
                assertThat(server.log()).contains("cannot listen on 127.0.0.1:" + port + " for HTTP");
            }
        }
    }

    @Test
    void defaultPortsThatAreTakenMoveToFreeOnes() throws Exception {
        try (ServeProcess first = ServeProcess.start(state());
                ServeProcess second = ServeProcess.start(folder.resolve("other"))) {
            Endpoints one = first.awaitReady();
            Endpoints two = second.awaitReady();

            assertThat(one.redis()).doesNotContainAnyElementsOf(two.redis());
            assertThat(one.http()).isNotEqualTo(two.http());
            assertThat(first.log() + second.log()).contains("moves to a free one");
        }
    }

    @Test
    void ofAMissingSsdDirectoryTheLastFolderIsMadeAndSaid() throws Exception {
        Path above = Files.createDirectory(folder.resolve("mnt"));
        try (ServeProcess server = ServeProcess.startPlain(
                state(),
                "--dram",
                "32Mi",
                "--ssd",
                "64Mi",
                "--ssd-dir",
                above.resolve("blocks").toString())) {
            server.awaitReady();
            assertThat(server.log())
                    .contains("WARN")
                    .contains(above.resolve("blocks") + " was not there, made it on the file system of /");
        }
        Path file = Files.createFile(folder.resolve("file"));
        for (Path unusable : new Path[] {above.resolve("nvme0/blocks"), file}) {
            try (ServeProcess server = ServeProcess.startPlain(
                    state(), "--dram", "32Mi", "--ssd", "64Mi", "--ssd-dir", unusable.toString())) {
                assertThat(server.exitCode()).isEqualTo(1);
                assertThat(server.log())
                        .contains("SSD directory " + unusable + " cannot be used: ")
                        .contains(
                                unusable.equals(file)
                                        ? "it is a file; expected a directory"
                                        : above.resolve("nvme0") + " is not there, and only the last folder is made");
            }
        }
        assertThat(above.resolve("nvme0")).doesNotExist();
        try (ServeProcess server = ServeProcess.startPlain(file, "--dram", "32Mi")) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.log()).contains("state directory " + file + " cannot be used: ", "expected a directory");
        }
        try (ServeProcess server = ServeProcess.startPlain(state(), "--dram", "32Mi", "--ssd", "64Mi")) {
            server.awaitReady();
            assertThat(server.log()).as("the state directory's own").doesNotContain("was not there");
        }
    }

    @Test
    void moreMemoryThanThereIsStopsTheStart() throws Exception {
        try (ServeProcess server = ServeProcess.start(state(), "--dram", "2Ti")) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.log()).contains("2.0 TiB for blocks").contains("the largest --dram that fits is");
        }
    }

    @Test
    void anOpenAddressWithoutPasswordIsAUsageError() throws Exception {
        try (ServeProcess server = ServeProcess.start(state(), "--redis-bind", "0.0.0.0")) {
            assertThat(server.exitCode()).isEqualTo(2);
            assertThat(server.log()).contains("flag --redis-bind: redis.bind: 0.0.0.0 is reachable");
        }
    }

    @Test
    void g125_sigtermWhileStartingEndsItWithCodeZero() throws Exception {
        for (long delayMillis : new long[] {150, 300, 600, 800}) {
            try (ServeProcess server =
                    ServeProcess.start(state(), "--ssd", "64Mi", "--redis-port", "0", "--http-port", "0")) {
                if (server.process().waitFor(delayMillis, TimeUnit.MILLISECONDS)) {
                    throw new AssertionError("ended by itself: " + server.log());
                }
                // before the JVM's first own line runs, the signal still has its ordinary meaning
                assertEndsAfterSigterm(server, 0, 143);
            }
        }
    }

    @Test
    void g125_asPidOneItHearsSigtermTwice() throws Exception {
        List<String> wrapper = List.of("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc");
        List<String> probe = new ArrayList<>(wrapper);
        probe.add("true");
        assumeThat(succeeds(probe))
                .as("this machine lets us make a PID namespace")
                .isTrue();
        try (ServeProcess server = ServeProcess.start(wrapper, state(), FREE_PORTS)) {
            assertThat(server.awaitReady().pid()).isEqualTo(1);
            ProcessHandle inside = server.process().children().findFirst().orElseThrow();

            inside.destroy();
            inside.destroy();

            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void aHungThreadDoesNotKeepTheProcess() throws Exception {
        assertThat(hungStop(List.of()).waitFor()).isZero();
    }

    /** Each way out of the JVM waits for such a thread, half a minute here, and for compilers at work. */
    @Test
    void aThreadThatTheJvmCannotHoldUpDoesNotKeepTheProcess() throws Exception {
        Process process = hungStop(List.of(HungStop.LOOPS_ARE_NOT_HELD_UP), "busy");
        try {
            assertThat(process.waitFor(15, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Process hungStop(List<String> flags, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
        command.add(HungStop.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void assertEndsAfterSigterm(ServeProcess server, Integer... codes) throws Exception {
        long started = System.nanoTime();
        server.terminate();
        assertThat(server.exitCode()).isIn((Object[]) codes);
        assertThat((System.nanoTime() - started) / 1_000_000).as(server.log()).isLessThan(EXIT_MILLIS_MAX);
    }

    private static byte[] halfAPutAfterManyPings() {
        return ("PING\r\n".repeat(20_000) + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1048576\r\nabc")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static Socket connect(String hostPort) throws IOException {
        int colon = hostPort.lastIndexOf(':');
        return new Socket(hostPort.substring(0, colon), Integer.parseInt(hostPort.substring(colon + 1)));
    }

    private static int get(Endpoints endpoints, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(endpoints.http() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static boolean succeeds(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
