package io.tidemark.server.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class FileTroubleTest {
    @Test
    void whatOnlyNamesAPathGetsAReason() {
        assertThat(FileTrouble.reason(new NoSuchFileException("/nope"))).isEqualTo("no such file or directory");
        assertThat(FileTrouble.reason(new AccessDeniedException("/proc/x"))).startsWith("permission denied");
        assertThat(FileTrouble.reason(new NotDirectoryException("/etc/hosts"))).isEqualTo("NotDirectoryException");
        assertThat(FileTrouble.reason(new FileSystemException("/x", null, "Is a directory")))
                .isEqualTo("Is a directory");
        assertThat(FileTrouble.reason(new IOException("t.csv:1: bad"))).isEqualTo("t.csv:1: bad");
        assertThat(FileTrouble.reason(new IOException())).isEqualTo("IOException");
    }
}
