package io.tidemark.server.volume;

import static io.tidemark.server.volume.VolumeProcessTest.lineWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of the sweeper in a real browser: its script runs there, asks the sweeper, and draws. */
@Timeout(180)
class VolumePageTest {
    private static final int BLOCKS = 40;

    @TempDir
    private Path mount;

    @Test
    void theBrowserShowsUsageMarksAndAges(@TempDir Path profile) throws Exception {
        assumeTrue(VolumeProcessTest.ran("sh", "-c", "command -v chromium"), "there is no chromium");
        BlockFiles files = new BlockFiles(mount.resolve("cache"));
        files.model("m_0123456789ab", "org/m");
        for (int i = 0; i < BLOCKS; i++) {
            files.block("m_0123456789ab_r0");
        }
        Process process = VolumeProcessTest.builder(
                        mount,
                        Map.of("CLEANUP_THRESHOLD", "99.9", "TARGET_THRESHOLD", "99.8"),
                        "io.tidemark.server.cli.Main",
                        "volume")
                .start();
        try (BufferedReader out = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> VolumeProcessTest.get(client, address + "/metrics")
                            .contains("tidemark_volume_files " + BLOCKS));
            String page = drawn(address, profile);
            assertThat(page)
                    .as("what the script made of the answer")
                    .containsPattern("<td>deletion</td><td>OFF</td>")
                    .containsPattern("<td>in use</td><td>\\d+\\.\\d\\d % of [\\d.]+ [KMGTP]iB</td>")
                    .contains("<td>removed</td><td>0 files, 0 B, 0 folders</td>")
                    .contains(">cleanup 99.9 %</text>", ">target 99.8 %</text>", ">critical ")
                    .containsPattern("<polyline points=\"[\\d.]+,[\\d.-]+")
                    .containsPattern("<rect [^>]*height=\"190\"")
                    .contains(">" + BLOCKS * BlockFiles.BYTES / 1024 + ".0 KiB</text>", ">≥ ")
                    .contains("id=\"problem\"></p>");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The page after its script has run, as the browser has it. */
    private static String drawn(String address, Path profile) throws IOException, InterruptedException {
        Process browser = new ProcessBuilder(
                        "chromium",
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--user-data-dir=" + profile,
                        "--virtual-time-budget=1500",
                        "--dump-dom",
                        address + "/")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String page = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(browser.waitFor()).as(page).isZero();
        return page;
    }
}
