package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How listeners are bound. */
class ServerSocketTest {
    @TempDir
    private Path folder;

    /** Nothing changes the mode after the bind, so what is seen here is what it was from the start. */
    @Test
    void aUnixSocketIsCreatedWithItsModeAndOtherFilesAreAsBefore() throws Exception {
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(Files.createFile(folder.resolve("before")));
        Path path = folder.resolve("s.sock");
        try (ServerSocket socket = ServerSocket.bind(RespListener.of(new ListenAddress.UnixSocket(path)))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-rw----");
            assertThat(socket.port()).isEmpty();
        }
        assertThat(path).doesNotExist();
        assertThat(Files.getPosixFilePermissions(Files.createFile(folder.resolve("after"))))
                .isEqualTo(before);
    }

    @Test
    void aTakenPortIsNamedAsItWasGiven() throws Exception {
        try (ServerSocket taken = ServerSocket.bind(RespListener.of(new ListenAddress.Tcp("127.0.0.1", 0)))) {
            ListenAddress again =
                    new ListenAddress.Tcp("127.0.0.1", taken.port().orElseThrow());
            assertThatThrownBy(() -> ServerSocket.bind(RespListener.of(again)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            "cannot listen on 127.0.0.1:" + taken.port().orElseThrow() + ": ");
        }
        assertThat(new ListenAddress.Tcp("::1", 7)).hasToString("[::1]:7");
    }

    @Test
    void aMovablePortMovesWhenItIsTaken() throws Exception {
        try (ServerSocket taken = ServerSocket.bind(RespListener.of(new ListenAddress.Tcp("127.0.0.1", 0)));
                ServerSocket moved = ServerSocket.bind(RespListener.of(
                        new ListenAddress.Tcp("127.0.0.1", taken.port().orElseThrow(), true)))) {
            assertThat(moved.port().orElseThrow())
                    .isPositive()
                    .isNotEqualTo(taken.port().orElseThrow());
        }
    }

    @Test
    void aHostThatIsNoneIsNamed() {
        assertThatThrownBy(() -> ServerSocket.bind(RespListener.of(new ListenAddress.Tcp("no host", 1))))
                .hasMessage("cannot listen on no host:1: unknown host");
    }
}
