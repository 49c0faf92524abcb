package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.volume.CrawlerStats;
import io.tidemark.core.volume.RecencySource;
import io.tidemark.core.volume.RehearsalSum;
import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines that dashboards look for, word for word. */
class StatusLinesTest {
    private static final Thresholds MARKS = new Thresholds(85, 70, 95, 3600);
    private static final Usage USAGE = new Usage(155_263_000_000L, 214_748_364_800L, 0, 0);

    @TempDir
    private Path folder;

    @Test
    void theStatusBlock() {
        VolumeStatus status = new VolumeStatus(
                Optional.of(USAGE),
                false,
                MARKS,
                List.of(new CrawlerStats.Reading(100, 60, 2, 30, 1), new CrawlerStats.Reading(200, 80, 3, 40, 0)),
                1000,
                500,
                32_749_125_632L,
                7,
                3,
                RecencySource.ATIME_RELATIME,
                16,
                "");
        assertThat(StatusBlock.of(status, true)).isEqualTo("""
                === System Status ===
                Crawlers: 2 active
                  Current deletion queue depth: 1000
                  Total files discovered: 300
                  Total files queued: 140
                  Total empty folders queued for cleanup: 5
                  Total files skipped (hot): 70
                  Total stat errors: 1
                  P1: discovered=100, queued=60, empty_folders_queued=2, skipped=30, stat_errors=1, queue_size=1000
                  P2: discovered=200, queued=80, empty_folders_queued=3, skipped=40, stat_errors=0, queue_size=1000
                Activator P3:
                  PVC Usage: 72.3% (144.60GB / 200.00GB)
                  Deletion: OFF
                  Thresholds: cleanup=85.0%, target=70.0%
                Deleter P4:
                  Files deleted: 500
                  Space freed: 30.50GB
                Folder Cleaners: 1 active
                  Total empty folders purged: 7
                  P5: purged=7
                =====================""");
    }

    @Test
    void startAndEndOfDeletion() {
        assertThat(DeletionLines.on(9, new Usage(8_542, 10_000, 0, 0), MARKS))
                .isEqualTo("Activator P9: Usage 85.42% >= 85.0% - Triggering deletion ON");
        assertThat(DeletionLines.off(9, new Usage(6_987, 10_000, 0, 0), MARKS))
                .isEqualTo("Activator P9: Usage 69.87% <= 70.0% - Triggering deletion OFF");
        assertThat(DeletionLines.event("DELETION_START", 1_234_567_890_123L, USAGE))
                .isEqualTo("DELETION_START: timestamp=1234567890.123, usage=72.30%, used=144.60GB, total=200.00GB");
    }

    @Test
    void theEndOfARehearsalSaysWhatIsMeasuredAndWhatWouldBe() {
        Usage measured = new Usage(8_800, 10_000, 0, 0);
        assertThat(DeletionLines.wouldBeOff(9, measured, new Usage(6_987, 10_000, 0, 0), MARKS, "SHADOW"))
                .isEqualTo("Activator P9: Usage would be 69.87% <= 70.0% - Triggering deletion OFF"
                        + " (SHADOW: nothing was removed, usage is 88.00%)");
        assertThat(DeletionLines.sum(new RehearsalSum(3, 1L << 30, 0, 3_600), 7_200, "DRY RUN"))
                .isEqualTo(
                        "DRY RUN: would delete 3 files in all (1073741824 bytes, 1.00GB), last used 1.0 h to 2.0 h ago");
    }

    @Test
    void theEndOfADeletionSaysWhatWentSinceItBegan() {
        CleanupSum sum = new CleanupSum();
        sum.begin(0);
        sum.add(1, 1);
        sum.begin(1_000_000_000);
        assertThat(DeletionLines.sum(sum.upTo(1_500_000_000), 7_200))
                .isEqualTo("deleted no file in 0.5 s: others did, or the usage fell by itself");
        sum.add(1L << 29, 3_600);
        sum.add(1L << 29, 0);
        sum.add(0, 6_300);
        assertThat(DeletionLines.sum(sum.upTo(13_300_000_000L), 7_200))
                .isEqualTo(
                        "deleted 3 files in all (1073741824 bytes, 1.00GB) in 12.3 s, last used 15.0 min to 2.0 h ago");
    }

    @Test
    void agesAreToldInTheUnitThatSuitsThem() {
        assertThat(List.of(Age.text(-5), Age.text(90), Age.text(3_600), Age.text(172_799), Age.text(1_852_906)))
                .containsExactly("0.0 min", "1.5 min", "1.0 h", "48.0 h", "21.4 d");
    }

    @Test
    void logLinesHaveTheFormOfOldOnStdoutAndInTheFile() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Path file = folder.resolve("log.txt");
        Clock clock = Clock.fixed(Instant.parse("2026-11-29T18:02:31Z"), ZoneOffset.UTC);
        VolumeLog log = new VolumeLog(
                new PrintStream(out, true, StandardCharsets.UTF_8), false, "INFO", Optional.of(file), clock);
        log.line(9, "activator", "INFO", "text");
        log.main("WARNING", "main");
        log.line(1, "crawler_1", "DEBUG", "left out");
        String expected = """
                [P9] 2026-11-29 18:02:31 - activator - INFO - text
                2026-11-29 18:02:31 - __main__ - WARNING - main
                """;
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
        log.close(TimeUnit.SECONDS.toNanos(30));
        assertThat(Files.readString(file)).isEqualTo(expected);
    }

    @Test
    void aLogFileThatCannotBeWrittenIsToldWithOneLine() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Clock clock = Clock.fixed(Instant.parse("2026-11-29T18:02:31Z"), ZoneOffset.UTC);
        Path file = folder.resolve("missing/log.txt");
        VolumeLog log = new VolumeLog(
                new PrintStream(out, true, StandardCharsets.UTF_8), false, "INFO", Optional.of(file), clock);
        log.plain("one");
        Awaitility.await().until(() -> out.toString(StandardCharsets.UTF_8).contains("cannot be written"));
        log.plain("two");
        log.close(TimeUnit.SECONDS.toNanos(30));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("one\n2026-11-29 18:02:31 - __main__ - WARNING - log file " + file
                        + " cannot be written, which is tried again every 30 s: ")
                .endsWith("missing/log.txt\ntwo\n");
    }

    @Test
    void asJsonEachLineIsAnObjectWhateverItsTextHolds() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Clock clock = Clock.fixed(Instant.parse("2026-11-29T18:02:31.250Z"), ZoneOffset.UTC);
        VolumeLog log = new VolumeLog(
                new PrintStream(out, true, StandardCharsets.UTF_8), true, "INFO", Optional.empty(), clock);
        log.line(9, "activator", "WARNING", "two\n\"lines\"");
        log.line(9, "activator", "DEBUG", "below the level");
        log.plain("PVC Evictor starting...");
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "{\"time\":\"2026-11-29T18:02:31.250Z\",\"level\":\"WARNING\",\"threadName\":\"P9\","
                                + "\"loggerName\":\"activator\",\"formattedMessage\":\"two\\n\\\"lines\\\"\"}",
                        "{\"time\":\"2026-11-29T18:02:31.250Z\",\"level\":\"INFO\",\"threadName\":\"main\","
                                + "\"loggerName\":\"__main__\",\"formattedMessage\":\"PVC Evictor starting...\"}");
    }
}
