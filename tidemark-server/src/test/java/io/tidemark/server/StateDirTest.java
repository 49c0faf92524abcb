package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.server.http.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server finds in its state directory, and what others find about it there. */
class StateDirTest {
    @TempDir
    private Path folder;

    private static Endpoints ofThisProcess() {
        return new Endpoints(ProcessHandle.current().pid(), "1", List.of(), List.of(), "");
    }

    @Test
    void whatAKilledStartLeftBehindIsKnown() throws Exception {
        for (String name :
                List.of("tidemark.lock", "server.json.tmp", "ssd-directories", "ssd-directories.tmp", "redis.sock")) {
            Files.createFile(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        StateDir.open(NativeSys.INSTANCE, folder).close();
        assertThat(Files.getPosixFilePermissions(folder)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void foreignFilesInADirectoryThatIsOpenToOthersAreRefused() throws Exception {
        Files.createFile(folder.resolve("notes.tmp"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        assertThatThrownBy(() -> StateDir.open(NativeSys.INSTANCE, folder)).hasMessageContaining("holds foreign files");
    }

    @Test
    void aProcessWithThePidOfADeadServerIsNotTakenForIt() throws Exception {
        Files.createFile(folder.resolve("tidemark.lock"));
        Files.writeString(folder.resolve("server.json"), Json.write(ofThisProcess()));
        assertThat(StateDir.find(folder)).isEmpty();
    }

    @Test
    void aServerThatHoldsItsLockIsFound() throws Exception {
        try (StateDir state = StateDir.open(NativeSys.INSTANCE, folder)) {
            state.publish(ofThisProcess());
            assertThat(StateDir.find(folder)).contains(ofThisProcess());
        }
        assertThat(StateDir.find(folder)).isEmpty();
    }
}
