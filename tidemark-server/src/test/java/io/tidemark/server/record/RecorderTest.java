package io.tidemark.server.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import io.tidemark.index.replay.Use;
import io.tidemark.index.replay.UseKind;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RecorderTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = folder.resolve("uses.rec");
    }

    @Test
    void whatWasUsedIsInTheFileAfterTheEnd() throws Exception {
        try (Recorder recorder = start(1 << 20, false)) {
            for (int i = 0; i < 10_000; i++) {
                recorder.used(use("key-" + i % 100));
            }
        }
        Trace trace = TraceReader.read(file);
        assertThat(trace.references()).isEqualTo(10_000);
        assertThat(trace.uniqueBlocks()).isEqualTo(100);
        assertThat(trace.remarks()).isEmpty();
    }

    @Test
    void noByteOfAKeyIsInTheFileAndNobodyElseMayReadIt() throws Exception {
        try (Recorder recorder = start(1 << 20, false)) {
            recorder.used(use("secret-prompt"));
        }
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aDiskThatHangsHoldsUpNobodyAndWhatIsDroppedIsCountedHereAndInTheFile() throws Exception {
        CountDownLatch disk = new CountDownLatch(1);
        long told = 0;
        Map<String, Double> counters;
        try (Recorder recorder = Recorder.start(options(1 << 30, false), () -> 0, 0, path -> hanging(path, disk))) {
            while (counters(recorder).getOrDefault("tidemark_recording_dropped_uses_total", 0.0) < 1_000) {
                recorder.used(use("key"));
                told++;
            }
            counters = counters(recorder);
            assertThat(counters.get("tidemark_recording_queued_bytes")).isLessThanOrEqualTo(Recorder.QUEUED_BYTES);
            disk.countDown();
        }
        Trace trace = TraceReader.read(file);
        long dropped = counters.getOrDefault("tidemark_recording_dropped_uses_total", 0.0)
                .longValue();
        assertThat(trace.references()).isEqualTo((int) (told - dropped));
        assertThat(trace.remarks())
                .contains(dropped + " uses are missing: the disk was too slow when they were recorded");
    }

    @Test
    void aDiskThatFailsEndsTheRecordingOnly() throws Exception {
        try (Recorder recorder = Recorder.start(options(1 << 30, false), () -> 0, 0, this::failingAfterTheHeader)) {
            while (recorder.listens()) {
                recorder.used(use("key"));
                Thread.onSpinWait();
            }
            recorder.used(use("key"));
            assertThat(counters(recorder).get("tidemark_recording_active")).isZero();
            assertThat(counters(recorder).getOrDefault("tidemark_recording_dropped_uses_total", 0.0))
                    .isPositive();
        }
    }

    @Test
    void aFullRecordingEndsOrGoesOnInAnotherFile() throws Exception {
        try (Recorder recorder = start(64 << 10, false)) {
            while (recorder.listens()) {
                recorder.used(use("key"));
            }
            assertThat(counters(recorder).get("tidemark_recording_active")).isZero();
        }
        assertThat(Files.size(file)).isBetween(64L << 10, (64L << 10) + 64);
        Files.delete(file);
        try (Recorder recorder = start(64 << 10, true)) {
            for (int i = 0; i < 5_000; i++) {
                recorder.used(use("key"));
            }
        }
        assertThat(folder.resolve("uses.rec.1")).exists();
        assertThat(TraceReader.read(file).references()).isEqualTo(5_000);
    }

    @Test
    void anEarlierRecordingIsKeptAndAnythingElseIsLeftAlone() throws Exception {
        start(1 << 20, false).close();
        byte[] first = Files.readAllBytes(file);
        start(1 << 20, false).close();
        assertThat(Files.readAllBytes(folder.resolve("uses.rec.1"))).isEqualTo(first);

        Files.writeString(file, "my thesis");
        assertThatThrownBy(() -> start(1 << 20, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("uses.rec is there and is no recording; expected a new name");
        assertThat(file).hasContent("my thesis");
    }

    private Recorder start(long maxBytes, boolean rotates) throws IOException {
        return Recorder.start(options(maxBytes, rotates), () -> 0, 0);
    }

    private RecordOptions options(long maxBytes, boolean rotates) {
        return new RecordOptions(file, maxBytes, rotates);
    }

    private static BlockUse use(String key) {
        Optional<BlockKey> name = Optional.of(BlockKey.of(key));
        return new BlockUse(1_000, 1, UseKind.HIT, false, name, Optional.empty(), 0, false, Use.NO_TTL);
    }

    private static Map<String, Double> counters(Recorder recorder) {
        Map<String, Double> values = new HashMap<>();
        recorder.counters(new CounterVisitor() {
            @Override
            public void counter(String name, String help, long value, String... labels) {
                values.put(name, (double) value);
            }

            @Override
            public void gauge(String name, String help, double value, String... labels) {
                values.put(name, value);
            }
        });
        return values;
    }

    /** A file whose writes but the first, of the header, wait. */
    private static OutputStream hanging(Path path, CountDownLatch disk) throws IOException {
        return new FilterOutputStream(RecordingFiles.create(path)) {
            private boolean begun;

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                try {
                    if (begun) {
                        disk.await();
                    }
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                begun = true;
                out.write(bytes, from, length);
            }
        };
    }

    private OutputStream failingAfterTheHeader(Path path) throws IOException {
        return new FilterOutputStream(RecordingFiles.create(path)) {
            private boolean begun;

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                if (begun) {
                    throw new IOException("no space left on device");
                }
                begun = true;
                out.write(bytes, from, length);
            }
        };
    }
}
