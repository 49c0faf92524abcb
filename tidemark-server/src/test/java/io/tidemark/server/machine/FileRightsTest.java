package io.tidemark.server.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a refused file is, and what to do; {@code SsdProcessTest} has a server refused for real. */
class FileRightsTest {
    private static final int OTHER = 65_533;

    @TempDir
    private Path folder;

    private int own() throws IOException {
        return (Integer) Files.getAttribute(folder, "unix:uid");
    }

    private Path file(String rights) throws IOException {
        Path file = Files.createFile(folder.resolve("journal-0"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
        return file;
    }

    @Test
    void aFileOfSomebodyElseIsToBeGivenToTheUserOrTheUserToBeChanged() throws IOException {
        Path file = file("rw-------");
        assertThat(FileRights.advice(file, OTHER))
                .startsWith("; this process runs as uid " + OTHER + ", and " + file + " belongs to uid " + own())
                .contains(" with mode rw-------: ")
                .endsWith("have it owned by that user (chown), or run the process as its owner");
    }

    @Test
    void aModeThatKeepsTheOwnerOutIsToBeWidenedAndOneThatDoesNotIsNotToBlame() throws IOException {
        Path file = file("r--------");
        assertThat(FileRights.advice(file, own()))
                .contains("with mode r--------: give its owner more rights (chmod u+rwX)");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(FileRights.advice(file, own()))
                .contains("with mode rw-------: these allow it")
                .contains("lsattr");
    }

    @Test
    void whatIsMissingIsRefusedByTheFolderItWasToBeMadeIn() throws IOException {
        assertThat(FileRights.advice(folder.resolve("a/b"), OTHER)).contains(folder + " belongs to uid " + own());
    }

    @Test
    void onlyARightThatIsMissingGetsAdvice() throws IOException {
        Path file = file("rw-------");
        assertThat(FileRights.behind("openat on " + file + ": EACCES")).contains(file + " belongs to");
        assertThat(FileRights.behind("openat on " + file + ": EPERM")).contains(file + " belongs to");
        assertThat(FileRights.behind("openat on " + file + ": EIO")).isEmpty();
        assertThat(FileRights.behind("pwrite on 19 at 4096: EACCES")).isEmpty();
    }
}
