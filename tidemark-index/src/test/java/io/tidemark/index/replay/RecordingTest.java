package io.tidemark.index.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordingTest {
    private static final BlockId RECORDING = new BlockId(7, 8);
    private static final int MANY = 5_000;

    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenIsReadAgainUseByUse() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            List<Use> uses = random(new SplittableRandom(seed));
            List<Use> read = new ArrayList<>();
            Optional<Long> torn = reader(bytes(uses)).readAll(read::add);
            assertThat(read).as("seed %d", seed).isEqualTo(uses);
            assertThat(torn).isEmpty();
        }
    }

    @Test
    void aRecordingThatIsCutAnywhereGivesTheUsesBeforeTheCut() throws IOException {
        List<Use> uses = random(new SplittableRandom(3)).subList(0, 8);
        byte[] whole = bytes(uses);
        for (int length = RecordingFormat.HEADER_BYTES; length < whole.length; length++) {
            List<Use> read = new ArrayList<>();
            Optional<Long> torn = reader(Arrays.copyOf(whole, length)).readAll(read::add);
            assertThat(read).isEqualTo(uses.subList(0, read.size()));
            byte[] complete = bytes(uses.subList(0, read.size()));
            assertThat(torn.orElse((long) length)).isEqualTo(complete.length);
            assertThat(torn.isPresent()).isEqualTo(complete.length < length);
        }
    }

    @Test
    void aCutOffUseIsToldWithItsOffset() throws IOException {
        byte[] whole = bytes(List.of(put(0, 1), put(1, 2)));
        Path file = Files.write(folder.resolve("uses.rec"), Arrays.copyOf(whole, whole.length - 1));
        Trace trace = TraceReader.read(file);
        assertThat(trace.references()).isEqualTo(1);
        assertThat(trace.remarks())
                .anySatisfy(remark -> assertThat(remark).contains("uses.rec").contains("cut off at byte 64"));
    }

    @Test
    void errorsNameFileOffsetAndWhatWasExpected() throws IOException {
        byte[] whole = bytes(List.of(put(0, 1), put(1, 2)));
        whole[64] = 15;
        Path damaged = Files.write(folder.resolve("damaged"), whole);
        assertThatThrownBy(() -> TraceReader.read(damaged))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("damaged at byte 64: use of kind 15, expected 1 to 10");
        whole[7] = 9;
        Path newer = Files.write(folder.resolve("newer"), whole);
        assertThatThrownBy(() -> TraceReader.read(newer))
                .hasMessageContaining("newer at byte 7: recording of version 9, expected 1");
        Path stub = Files.write(folder.resolve("stub"), Arrays.copyOf(whole, 7));
        assertThatThrownBy(() -> TraceReader.read(stub)).hasMessageContaining("the file ends inside its header");
    }

    @Test
    void theFilesBeforeAreReadFirstAsFarAsTheyAreOfTheSameRecording() throws IOException {
        Path file = Files.write(folder.resolve("r"), bytes(2, List.of(hit(1, 5), hit(1, 5))));
        Files.write(folder.resolve("r.1"), bytes(1, List.of(hit(1, 4))));
        Files.write(folder.resolve("r.2"), bytes(0, List.of(hit(1, 3), hit(1, 5))));
        Trace whole = TraceReader.read(file);
        assertThat(requests(whole)).containsExactly(List.of(0), List.of(1), List.of(2), List.of(1), List.of(1));
        assertThat(whole.remarks()).containsExactly("goes on from " + folder.resolve("r.2"));

        ByteArrayOutputStream other = new ByteArrayOutputStream();
        new RecordingWriter(other, new BlockId(1, 1), 0, 0, 0).close();
        Files.write(folder.resolve("r.2"), other.toByteArray());
        Trace rest = TraceReader.read(file);
        assertThat(rest.references()).isEqualTo(3);
        assertThat(rest.remarks())
                .containsExactly(
                        "goes on from " + folder.resolve("r.1"),
                        "1 of the recording's 3 files are missing before or between these");
    }

    @Test
    void aFileThatIsMovedAsItIsReadIsTakenOnce() throws IOException {
        byte[] opened = bytes(1, List.of(hit(1, 1)));
        Files.write(folder.resolve("r"), bytes(2, List.of(hit(1, 9))));
        Files.write(folder.resolve("r.1"), opened);
        Files.write(folder.resolve("r.3"), bytes(0, List.of(hit(1, 2)))); // r.2 is not there yet
        List<Use> read = new ArrayList<>();
        try (RecordingParts parts = new RecordingParts(new ByteArrayInputStream(opened), folder.resolve("r"))) {
            parts.readAll(read::add);
        }
        assertThat(read).containsExactly(hit(1, 2), hit(1, 1));
    }

    @Test
    void packedFilesAreFoundUnderTheirNumbers() throws IOException {
        Path file = Files.write(folder.resolve("r.gz"), packed(bytes(2, List.of(hit(1, 1)))));
        Files.write(folder.resolve("r.1.gz"), packed(bytes(1, List.of(hit(1, 2)))));
        Files.write(folder.resolve("r.2"), bytes(0, List.of(hit(1, 3))));
        assertThat(TraceReader.read(file).references()).isEqualTo(3);
    }

    @Test
    void aFileBeforeThatCannotBeReadIsToldAndLeftOut() throws IOException {
        Path file = Files.write(folder.resolve("r"), bytes(2, List.of(hit(1, 1))));
        byte[] newer = bytes(1, List.of(hit(1, 2)));
        newer[7] = 9;
        Files.write(folder.resolve("r.1"), newer);
        Files.write(folder.resolve("r.2"), Arrays.copyOf(newer, 7));
        Trace trace = TraceReader.read(file);
        assertThat(trace.references()).isEqualTo(1);
        assertThat(trace.remarks())
                .anySatisfy(remark ->
                        assertThat(remark).startsWith("left out: ").contains("r.1 at byte 7: recording of version 9"))
                .anySatisfy(remark -> assertThat(remark).contains("r.2").contains("ends inside its header"));
    }

    @Test
    void aWriterThatHasFailedWritesNothingMore() throws IOException {
        ByteArrayOutputStream disk = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            private boolean failed;

            @Override
            public void write(int one) {
                disk.write(one);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                disk.write(bytes, from, failed ? length : length / 2);
                if (!failed) {
                    failed = true;
                    throw new IOException("no space left on device");
                }
            }
        };
        RecordingWriter writer = new RecordingWriter(full, RECORDING, 0, 1, 0);
        for (int i = 0; i < 10; i++) {
            writer.write(put(1, i));
        }
        assertThatThrownBy(writer::flush).hasMessage("no space left on device");
        assertThatThrownBy(writer::flush).hasMessageContaining("an earlier write has failed");
        writer.close();
        assertThat(bytes(IntStream.range(0, 10).mapToObj(i -> put(1, i)).toList()))
                .startsWith(disk.toByteArray());
    }

    @Test
    void usesOfAChainAreOneRequestHoweverClientsTakeTurns() throws IOException {
        List<Use> uses = List.of(
                put(1, 10),
                behind(1, 11, 10),
                put(2, 20),
                behind(1, 12, 11),
                behind(2, 21, 20),
                hit(1, 10),
                hit(1, 11));
        Trace trace = trace(uses);
        assertThat(requests(trace)).containsExactly(List.of(0, 1, 2), List.of(3, 4), List.of(0, 1));
        assertThat(trace.parent(2)).isEqualTo(1);
    }

    @Test
    void aBatchIsAChain() throws IOException {
        List<Use> uses = List.of(put(1, 1), joined(1, 2), joined(1, 3), hit(2, 9), put(1, 4));
        assertThat(requests(trace(uses))).containsExactly(List.of(0, 1, 2), List.of(3), List.of(4));
    }

    @Test
    void aPutBehindTheMissOfItsBlockIsTheSameUse() throws IOException {
        List<Use> uses = List.of(miss(1, 1), miss(1, 2), put(1, 1), behind(1, 2, 1), miss(2, 1), put(2, 1), put(3, 1));
        assertThat(requests(trace(uses))).containsExactly(List.of(0, 1), List.of(0), List.of(0));
    }

    @Test
    void aDeletedBlockIsAnotherOneWhenItComesBack() throws IOException {
        Use deleted = Use.of(0, 1, UseKind.DELETE, id(1));
        Use cleared = Use.of(0, 1, UseKind.CLEAR, BlockId.NONE);
        assertThat(requests(trace(List.of(put(1, 1), deleted, put(1, 1), cleared, put(1, 1)))))
                .containsExactly(List.of(0), List.of(1), List.of(2));
    }

    @Test
    void aBlockThatOutlivedItsTimeIsAnotherOne() throws IOException {
        Use mortal = new Use(0, 1, UseKind.PUT, false, id(1), Optional.empty(), 5, false, 10);
        Use before = Use.of(9_999, 1, UseKind.HIT, id(1));
        Use after = Use.of(10_000, 1, UseKind.MISS, id(1));
        assertThat(requests(trace(List.of(mortal, before, after)))).containsExactly(List.of(0), List.of(0), List.of(1));
    }

    @ParameterizedTest
    @EnumSource(
            value = UseKind.class,
            names = {"DELETE", "EXPIRE"})
    void keysMayBeMetFirstWhereTheyEnd(UseKind kind) throws IOException {
        List<Use> uses = new ArrayList<>();
        for (int key = 0; key < MANY; key++) {
            uses.add(new Use(0, 1, kind, false, id(key), Optional.empty(), 0, false, 5));
        }
        uses.add(new Use(5_000, 1, UseKind.PUT, false, id(MANY - 1), Optional.empty(), 0, false, Use.NO_TTL));
        assertThat(requests(trace(uses))).containsExactly(List.of(0));
    }

    @Test
    void keysMayBeMetFirstAsParents() throws IOException {
        List<Use> uses = new ArrayList<>(List.of(hit(9, -1))); // parents get the odd numbers
        for (int key = 0; key < MANY; key++) {
            uses.add(behind(1, key, key + MANY));
        }
        for (int key = 0; key < MANY; key++) {
            uses.add(hit(2, key + MANY));
            uses.add(hit(2, key));
        }
        List<List<Integer>> requests = requests(trace(uses));
        assertThat(requests.subList(1 + MANY, requests.size()))
                .hasSize(MANY)
                .allSatisfy(request -> assertThat(request).hasSize(2));
    }

    @Test
    void tailsLossesAndSizesAreKept() throws IOException {
        Use tail = new Use(0, 1, UseKind.PUT, false, id(2), Optional.of(id(1)), 300, true, Use.NO_TTL);
        Use lost = new Use(0, 0, UseKind.LOST, false, BlockId.NONE, Optional.empty(), 12, false, Use.NO_TTL);
        Trace trace = trace(List.of(put(1, 1), tail, lost));
        assertThat(trace.isIncompleteTail(0)).isFalse();
        assertThat(trace.isIncompleteTail(1)).isTrue();
        assertThat(trace.remarks())
                .containsExactly(
                        "12 uses are missing: the disk was too slow when they were recorded",
                        "blocks of 200 bytes on average");
    }

    private Trace trace(List<Use> uses) throws IOException {
        return TraceReader.read(Files.write(folder.resolve("uses"), bytes(uses)));
    }

    private static List<List<Integer>> requests(Trace trace) {
        return IntStream.range(0, trace.requests())
                .mapToObj(request -> IntStream.range(trace.start(request), trace.end(request))
                        .mapToObj(trace::block)
                        .toList())
                .toList();
    }

    private static Use put(long client, int key) {
        return new Use(0, client, UseKind.PUT, false, id(key), Optional.empty(), 100, false, Use.NO_TTL);
    }

    private static Use joined(long client, int key) {
        return new Use(0, client, UseKind.PUT, true, id(key), Optional.empty(), 0, false, Use.NO_TTL);
    }

    private static Use behind(long client, int key, int parent) {
        return new Use(0, client, UseKind.PUT, false, id(key), Optional.of(id(parent)), 0, false, Use.NO_TTL);
    }

    private static Use hit(long client, int key) {
        return Use.of(0, client, UseKind.HIT, id(key));
    }

    private static Use miss(long client, int key) {
        return Use.of(0, client, UseKind.MISS, id(key));
    }

    private static BlockId id(int key) {
        return new BlockId(key, ~key);
    }

    private static byte[] bytes(List<Use> uses) throws IOException {
        return bytes(0, uses);
    }

    private static byte[] bytes(int part, List<Use> uses) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RecordingWriter writer = new RecordingWriter(out, RECORDING, part, 1, 0)) {
            for (Use use : uses) {
                writer.write(use);
            }
            writer.flush();
            assertThat(writer.bytes()).isEqualTo(out.size());
        }
        return out.toByteArray();
    }

    private static byte[] packed(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    private static RecordingReader reader(byte[] bytes) throws IOException {
        return new RecordingReader(new ByteArrayInputStream(bytes), "memory");
    }

    private static List<Use> random(SplittableRandom random) {
        long micros = 0;
        List<Use> uses = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            micros += random.nextLong(-50, 1L << random.nextInt(1, 40));
            BlockId parent = new BlockId(random.nextLong(), random.nextLong());
            uses.add(new Use(
                    micros,
                    random.nextLong(1L << random.nextInt(1, 62)),
                    UseKind.of(1 + random.nextInt(UseKind.values().length)).orElseThrow(),
                    random.nextBoolean(),
                    new BlockId(random.nextLong(), random.nextLong()),
                    random.nextBoolean() ? Optional.of(parent) : Optional.empty(),
                    random.nextLong(1L << random.nextInt(1, 62)),
                    random.nextBoolean(),
                    random.nextBoolean() ? Use.NO_TTL : random.nextLong(1L << random.nextInt(1, 62))));
        }
        return uses;
    }
}
