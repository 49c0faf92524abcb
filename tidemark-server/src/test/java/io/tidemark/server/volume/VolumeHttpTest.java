package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.VolumeSweeper;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeHttpTest {
    @TempDir
    private Path mount;

    private VolumeHttp start() throws IOException {
        VolumeOptions options =
                VolumeOptionSources.resolve(Optional.empty(), Map.of("PVC_MOUNT_PATH", mount.toString()), Map.of());
        VolumeLog log = new VolumeLog(
                new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                false,
                "ERROR",
                Optional.empty(),
                Clock.systemUTC());
        Clocks clocks = Clocks.system();
        VolumeSweeper sweeper = VolumeSweeper.of(
                options.config(),
                new NativeDirectoryCalls(),
                clocks,
                path -> Optional.empty(),
                new LogListener(log, DeleteEvents.NONE, options.config(), clocks));
        return new VolumeHttp(VolumeHttp.bind("127.0.0.1:0", false), sweeper, () -> 0L);
    }

    private static Socket connect(VolumeHttp http, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port());
        socket.setSoTimeout(5_000);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    private static String statusOf(VolumeHttp http, String request) throws IOException {
        try (Socket socket = connect(http, request)) {
            byte[] answer = socket.getInputStream().readNBytes(12);
            return new String(answer, StandardCharsets.US_ASCII);
        }
    }

    @Test
    void clientsThatSendHalfARequestKeepNobodyFromAsking() throws IOException {
        List<Socket> half = new ArrayList<>();
        try (VolumeHttp http = start()) {
            for (int i = 0; i < 8; i++) {
                half.add(connect(http, "GET /li"));
            }
            assertThat(statusOf(http, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .isEqualTo("HTTP/1.1 200");
        } finally {
            for (Socket socket : half) {
                socket.close();
            }
        }
    }

    @Test
    void requestsHaveATimeLimit() throws IOException {
        try (VolumeHttp http = start()) {
            assertThat(http.port()).isPositive();
            assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isNotNull();
            assertThat(System.getProperty("sun.net.httpserver.maxRspTime")).isNotNull();
        }
    }

    @Test
    void onLoopbackARequestForAnotherHostIsRefused() throws IOException {
        try (VolumeHttp http = start()) {
            assertThat(statusOf(http, "GET /api/v1/volume HTTP/1.1\r\nHost: evil.example:8080\r\n\r\n"))
                    .isEqualTo("HTTP/1.1 403");
            assertThat(statusOf(http, "GET /api/v1/volume HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n"))
                    .isEqualTo("HTTP/1.1 200");
        }
    }
}
