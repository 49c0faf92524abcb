package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.core.volume.VolumeScan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanBarTest {
    @TempDir
    private Path folder;

    @Test
    void theBarGrowsWithTheShareOfTheWalkThatIsOver() {
        assertThat(ScanBar.line(new VolumeScan.Progress(0, 0)))
                .isEqualTo("\r\u001b[K[" + "-".repeat(30) + "]   0 %, 0 files");
        assertThat(ScanBar.line(new VolumeScan.Progress(1_234, 0.5)))
                .isEqualTo("\r\u001b[K[" + "#".repeat(15) + "-".repeat(15) + "]  50 %, 1234 files");
        assertThat(ScanBar.line(new VolumeScan.Progress(7, 1)))
                .isEqualTo("\r\u001b[K[" + "#".repeat(30) + "] 100 %, 7 files");
    }

    @Test
    void itIsDrawnOnATerminalAndNowhereElse() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String scan = "'" + java + "' -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED"
                + " -cp \"$CLASSES\" io.tidemark.server.cli.Main volume scan '" + folder + "'";
        assertThat(said("sh", "-c", scan)).contains("0 files, 0 B").doesNotContain("[---", "\u001b");
        assumeTrue(
                said("sh", "-c", "command -v script").contains("script"), "there is no script, which makes a terminal");
        assertThat(said("script", "-qec", scan, "/dev/null"))
                .contains("\r\u001b[K[------------------------------]   0 %, 0 files")
                .containsSubsequence("0 %, 0 files", "\r\u001b[K", "0 files, 0 B");
    }

    private static String said(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSES", System.getProperty("java.class.path"));
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
