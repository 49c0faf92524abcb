package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the program of a server to stand beside is looked for. */
class ChildServerTest {
    @TempDir
    private Path folder;

    private Path program;

    @BeforeEach
    void make() throws IOException {
        program = Files.createFile(
                folder.resolve("some-server"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** A zero byte stands for what the locale has no characters for: neither is a path. */
    @Test
    void entriesThatAreNoPathAreLeftOut() {
        assertThat(ChildServer.program("some-server", "::/no\0path:/nowhere:" + folder))
                .contains(program);
        assertThat(ChildServer.program("some-server", "/no\0path:/nowhere")).isEmpty();
        assertThat(ChildServer.program("some-server", "")).isEmpty();
    }

    @Test
    void whatCannotBeStartedIsNoProgram() throws IOException {
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-------"));
        assertThat(ChildServer.program("some-server", folder.toString())).isEmpty();
    }
}
