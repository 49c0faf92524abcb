package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.MemoryDir;
import io.tidemark.core.volume.TwinCalls.Call;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeScanTest {
    @TempDir(factory = MemoryDir.class)
    private Path root;

    @Test
    void aFolderThatCannotBeReadIsToldWithItsErrorAndHowManyMoreThereAre() throws Exception {
        CacheFiles cache = new CacheFiles(root);
        cache.model("m_0123456789ab", "org/m");
        for (int file = 0; file < 3; file++) {
            cache.block("m_0123456789ab_r" + file, file, Duration.ofHours(24));
        }
        TwinCalls calls = new TwinCalls(1 << 30, 0);
        VolumeScan scan = new VolumeScan(calls, new FsLayout(3), 1, new TestClocks(), path -> Optional.empty());
        assertThat(scan.scan(root, soFar -> {}).unread()).isEmpty();
        calls.fault =
                (call, name) -> call == Call.OPEN && (name.endsWith("_r1") || name.endsWith("_r2")) ? Errno.EACCES : 0;
        VolumeScan.Report report = scan.scan(root, soFar -> {});
        assertThat(report.files()).isEqualTo(1);
        assertThat(report.unread()).matches("m_0123456789ab_r[12] \\(EACCES\\) and 1 more");
    }
}
