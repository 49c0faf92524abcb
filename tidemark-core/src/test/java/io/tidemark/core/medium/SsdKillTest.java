package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills real processes with kill -9 and looks at what they leave. */
class SsdKillTest {
    @TempDir
    Path dir;

    /** Generation of each key that was answered as stored and not discarded or evicted since. */
    private final Map<String, Long> stored = new HashMap<>();

    private final Map<String, Long> discarded = new HashMap<>();
    private long generation;

    @Test
    void g88_g94_answersHoldAfterKillMinusNine() throws Exception {
        rounds(4);
    }

    @Test
    @Tag("soak")
    void answersHoldAfterManyKills() throws Exception {
        rounds(200);
    }

    private void rounds(int rounds) throws Exception {
        Random random = new Random(88);
        for (int round = 0; round < rounds; round++) {
            runAndKill(random.nextInt(1 << 20), 200 + random.nextInt(1500));
            SsdHarness harness = new SsdHarness(dir);
            discarded.forEach(harness.discarded::put);
            NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
            stored.forEach((key, answered) -> {
                SsdHarness.Stored block = found.get(key);
                assertThat(block)
                        .as("%s, answered as generation %d", key, answered)
                        .isNotNull();
            });
            stored.clear();
            found.forEach((key, block) -> stored.put(key, block.generation()));
            generation = Math.max(generation, harness.generation);
            harness.ssd.close();
        }
    }

    /** Lets a process answer this many operations, then kills it, and takes in what it had said by then. */
    private void runAndKill(int seed, int operations) throws IOException, InterruptedException {
        Path said = dir.resolveSibling(dir.getFileName() + ".said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SsdWriterMain.class.getName(),
                        dir.toString(),
                        Integer.toString(seed),
                        Long.toString(generation))
                .redirectOutput(said.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> !process.isAlive() || Files.size(said) > operations * 14L);
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        String lines = Files.readString(said, StandardCharsets.US_ASCII);
        lines.substring(0, lines.lastIndexOf('\n') + 1).lines().forEach(this::hear);
        Files.delete(said);
    }

    private void hear(String line) {
        String[] words = line.split(" ", -1);
        long number = Long.parseLong(words[2]);
        switch (words[0]) {
            case "put" -> {
                stored.put(words[1], number);
                discarded.put(words[1], number);
                generation = Math.max(generation, number);
            }
            case "delete" -> discarded.put(words[1], number + 1);
            default -> stored.remove(words[1]);
        }
    }
}
