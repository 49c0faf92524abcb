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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RecorderTest {
    private static final int KEEP = 3;

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
        assertThat(earlier(1)).exists();
        assertThat(TraceReader.read(file).references()).isEqualTo(5_000);
    }

    @Test
    void earlierRecordingsAreKeptUpToABoundAndOneWithoutAUseIsNone() throws Exception {
        for (int run = 1; run <= KEEP + 3; run++) {
            record("key", run);
            record("key", 0); // as a server that does not come up, again and again
        }
        assertThat(TraceReader.read(file).references()).isZero();
        for (int age = 1; age <= KEEP; age++) {
            assertThat(TraceReader.read(earlier(age)).references()).isEqualTo(KEEP + 4 - age);
        }
        assertThat(earlier(KEEP + 1)).doesNotExist();
    }

    @Test
    void aFreeNameAmongTheEarlierOnesIsTakenBeforeAnythingIsDeleted() throws Exception {
        for (int run = 1; run <= KEEP + 1; run++) {
            record("key", run);
        }
        Files.delete(earlier(1));
        record("key", 9);
        assertThat(TraceReader.read(earlier(1)).references()).isEqualTo(KEEP + 1);
        assertThat(TraceReader.read(earlier(KEEP)).references()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uses.rec", "uses.rec.1", "uses.rec.3"})
    void whatIsNoRecordingIsLeftAloneAndRefusesTheStart(String name) throws Exception {
        Path other = folder.resolve(name);
        record("key", 1);
        record("key", 1);

        Files.deleteIfExists(other);
        Files.writeString(other, "my thesis");
        assertRefused(other + " is there and is no recording; expected a new name, or an earlier recording");
        assertThat(other).hasContent("my thesis");

        Files.writeString(other, "");
        assertRefused(other + " is there and is no recording");
        assertThat(other).isEmptyFile();

        Files.delete(other);
        Files.createDirectory(other);
        assertRefused(other + " is there and is no regular file");
        assertThat(other).isDirectory();

        Files.delete(other);
        Files.createSymbolicLink(other, folder.resolve("nothing"));
        assertRefused(other + " is there and is no regular file");
        assertThat(other).isSymbolicLink();

        Files.delete(other);
        record("key", 1);
        Files.createSymbolicLink(folder.resolve("link"), file);
        file = folder.resolve("link");
        assertRefused("link is there and is no regular file");
    }

    @Test
    void devicesAreNoRecordings() {
        file = Path.of("/dev/null");
        assertRefused("/dev/null is there and is no regular file");
    }

    @Test
    void placesWhereNoRecordingCanBeAreRefused() {
        file = folder.resolve("no/uses.rec");
        assertRefused("no directory " + folder.resolve("no"));
        file = folder.resolve("uses.rec.gz");
        assertRefused("recordings are not packed");
    }

    @Test
    void aFileThatIsBeingWrittenIsNotTakenAway() throws Exception {
        try (Recorder first = start(1 << 20, false)) {
            first.used(use("key"));
            assertRefused("uses.rec is being written by another process");
        }
        assertThat(TraceReader.read(file).references()).isEqualTo(1);
        start(1 << 20, false).close();
        assertThat(earlier(1)).exists();
    }

    @Test
    void whatIsToldWhileItEndsIsCountedAndHoldsNoMemory() throws Exception {
        for (int round = 0; round < 40; round++) {
            Recorder recorder = Recorder.start(options(1, false), () -> 0, 0); // full with its first use
            LongAdder told = new LongAdder();
            List<Thread> loops = IntStream.range(0, 4)
                    .mapToObj(loop -> Thread.ofPlatform().start(() -> {
                        for (int after = 0; after < 50; after += recorder.listens() ? 0 : 1) {
                            recorder.used(use("key"));
                            told.increment();
                        }
                    }))
                    .toList();
            for (Thread loop : loops) {
                loop.join();
            }
            recorder.close();
            Map<String, Double> counters = counters(recorder);
            assertThat(counters.get("tidemark_recording_queued_bytes")).isZero();
            assertThat(counters.getOrDefault("tidemark_recording_dropped_uses_total", 0.0)
                            + counters.getOrDefault("tidemark_recorded_uses_total", 0.0))
                    .isEqualTo((double) told.sum());
            Files.delete(file);
        }
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> start(1 << 20, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }

    private void record(String key, int uses) throws IOException {
        try (Recorder recorder = start(1 << 20, false)) {
            for (int i = 0; i < uses; i++) {
                recorder.used(use(key));
            }
        }
    }

    private Path earlier(int age) {
        return folder.resolve("uses.rec." + age);
    }

    private Recorder start(long maxBytes, boolean rotates) throws IOException {
        return Recorder.start(options(maxBytes, rotates), () -> 0, 0);
    }

    private RecordOptions options(long maxBytes, boolean rotates) {
        return new RecordOptions(file, maxBytes, KEEP, rotates);
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
