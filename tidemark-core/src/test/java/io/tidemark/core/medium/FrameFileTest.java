package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameFileTest {
    private static final int FILE_BYTES = 16 << 10;
    private static final int HEADER_BYTES = 56;

    @TempDir
    Path dir;

    private final Random salts = new Random(5);
    /** Drawn last. */
    private long salt;

    private Path path;
    private FrameFile file;

    /** A journal file of a new medium. */
    static FrameFile open(Sys sys, String path, long bytes) throws IOException {
        return open(sys, path, bytes, FrameSeal::newSalt);
    }

    private static FrameFile open(Sys sys, String path, long bytes, LongSupplier salts) throws IOException {
        FrameFile made = new FrameFile(sys, path, Sys.O_RDWR | Sys.O_CREAT, FrameFile.Kind.JOURNAL, bytes, 4096, salts);
        made.grow();
        return made;
    }

    @BeforeEach
    void open() throws IOException {
        path = dir.resolve("journal");
        file = open(NativeSys.INSTANCE, path.toString(), FILE_BYTES, () -> salt = salts.nextLong());
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private void append(int value, int bytes) throws IOException {
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, (byte) value);
        append(payload);
    }

    private void append(byte[] payload) throws IOException {
        ByteBuffer frame = FrameFile.buffer(FrameFile.FRAME_HEADER_BYTES + payload.length);
        file.append(frame.position(FrameFile.FRAME_HEADER_BYTES).put(payload).flip());
    }

    /** A payload of which the first byte is given, and in which bytes stand where a frame could. */
    private static byte[] payloadAround(int first, byte[] bytes) {
        byte[] payload = new byte[3 * FrameFile.FRAME_ALIGN + bytes.length];
        payload[0] = (byte) first;
        System.arraycopy(bytes, 0, payload, 2 * FrameFile.FRAME_ALIGN - FrameFile.FRAME_HEADER_BYTES, bytes.length);
        return payload;
    }

    /** First byte of each frame; behind a gap, its negative. */
    private List<Integer> read(long epoch) throws IOException {
        List<Integer> values = new ArrayList<>();
        file.readFrames(epoch, (payload, afterGap) -> values.add(afterGap ? -payload.get() : payload.get()));
        return values;
    }

    private void patch(long at) throws IOException {
        try (RandomAccessFile raw = new RandomAccessFile(path.toFile(), "rw")) {
            raw.seek(at);
            int old = raw.read();
            raw.seek(at);
            raw.write(old ^ 0x10);
        }
    }

    @Test
    void anEmptyFileHasNoEpochAndNoFrames() throws IOException {
        assertThat(file.readHeader()).isEqualTo(FrameFile.Header.NONE);
        assertThat(read(1)).isEmpty();
    }

    @Test
    void framesComeBackInOrder() throws IOException {
        file.begin(5, 9);
        append(1, 1);
        append(2, 1000);
        append(3, 64);
        assertThat(file.readHeader()).isEqualTo(new FrameFile.Header(5, 9, FrameFile.NOT_KNOWN, false));
        assertThat(read(5)).containsExactly(1, 2, 3);
    }

    @Test
    void framesOfAnEarlierEpochAreVoid() throws IOException {
        file.begin(5, 1);
        append(1, 10);
        append(2, 10);
        file.begin(7, 1);
        append(3, 10);
        assertThat(read(7)).containsExactly(3);
        assertThat(read(5)).as("what is left of it").isEmpty();
    }

    @Test
    void aTornEndIsNoGap() throws IOException {
        file.begin(1, 1);
        append(1, 10);
        append(2, 500);
        patch(FrameFile.FRAMES_AT + FrameFile.frameBytes(10) + 300);
        assertThat(read(1)).containsExactly(1);
    }

    @Test
    void damageInTheMiddleIsAGap() throws IOException {
        file.begin(1, 1);
        append(1, 10);
        append(2, 500);
        append(3, 10);
        append(4, 10);
        patch(FrameFile.FRAMES_AT + FrameFile.frameBytes(10) + 300);
        assertThat(read(1)).containsExactly(1, -3, 4);
    }

    @Test
    void aFlippedBitInAHeaderMakesTheFileVoid() throws IOException {
        file.begin(1, 1);
        patch(17);
        assertThat(file.readHeader()).isEqualTo(FrameFile.Header.NONE);
    }

    /** A kill within the write leaves the first bytes of the new header before the last ones of the old. */
    @Test
    void g90_aTornHeaderIsNeitherTheOldOneNorTheNewOne() throws IOException {
        byte[] before = header(17, 25, 214);
        assertTornIsNone(before, header(19, 30, 85));
        SsdFormat.downgrade(before);
        assertTornIsNone(before, header(19, 30, 85));
    }

    private void assertTornIsNone(byte[] before, byte[] after) throws IOException {
        int differs = Arrays.mismatch(before, after);
        int same = before.length;
        while (before[same - 1] == after[same - 1]) {
            same--;
        }
        for (int torn = differs + 1; torn < same; torn++) {
            try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "rw")) {
                bytes.write(after, 0, torn);
                bytes.write(before, torn, before.length - torn);
            }
            assertThat(file.readHeader()).as("torn at %d", torn).isEqualTo(FrameFile.Header.NONE);
        }
    }

    private byte[] header(long epoch, int floor, int framesBefore) throws IOException {
        file.begin(epoch, floor, framesBefore);
        assertThat(file.readHeader()).isEqualTo(new FrameFile.Header(epoch, floor, framesBefore, false));
        byte[] header = new byte[HEADER_BYTES];
        try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "r")) {
            bytes.readFully(header);
        }
        return header;
    }

    /** Payloads hold keys as clients chose them; the one who knows the salt is believed, so these are frames. */
    @Test
    void aFrameWithinADamagedOneIsNone() throws IOException {
        byte[] hidden = {77};
        file.begin(5, 1);
        append(payloadAround(1, SsdFormat.frameWithoutSalt(5, 1, hidden)));
        append(payloadAround(2, SsdFormat.frame(5, 1, hidden, salt + 1)));
        append(payloadAround(3, SsdFormat.frame(5, 2, hidden, salt)));
        append(4, 10);
        assertThat(read(5)).containsExactly(1, 2, 3, 4);
        long each = FrameFile.frameBytes(payloadAround(0, new byte[64]).length);
        patch(FrameFile.FRAMES_AT + 30);
        assertThat(read(5)).containsExactly(-2, 3, 4);
        patch(FrameFile.FRAMES_AT + each + 30);
        assertThat(read(5)).containsExactly(-3, 4);
        patch(FrameFile.FRAMES_AT + 2 * each + 30);
        assertThat(read(5)).containsExactly(-77, -4);
    }

    /** What an earlier epoch left there is looked at at each start, with nothing damaged. */
    @Test
    void aFrameWithinOneOfAnEarlierEpochIsNone() throws IOException {
        file.begin(5, 1);
        append(1, 200);
        append(payloadAround(2, SsdFormat.frameWithoutSalt(7, 1, new byte[] {77})));
        append(payloadAround(3, SsdFormat.frame(7, 1, new byte[] {77}, salt)));
        file.begin(7, 1);
        append(4, 10);
        assertThat(read(7)).containsExactly(4);
    }

    @Test
    void aFileOfVersion4IsReadAsItIs() throws IOException {
        file.begin(5, 9, 214);
        append(1, 100);
        append(2, 1000);
        append(3, 10);
        byte[] bytes = Files.readAllBytes(path);
        SsdFormat.downgrade(bytes);
        Files.write(path, bytes);
        assertThat(file.readHeader()).isEqualTo(new FrameFile.Header(5, 9, 214, false));
        assertThat(read(5)).containsExactly(1, 2, 3);
        patch(FrameFile.FRAMES_AT + FrameFile.frameBytes(100) + 300);
        assertThat(read(5)).containsExactly(1, -3);
        file.begin(7, 9);
        append(4, 10);
        assertThat(SsdFormat.version(Files.readAllBytes(path))).isEqualTo(FrameFile.VERSION);
        assertThat(file.readHeader()).isEqualTo(new FrameFile.Header(7, 9, FrameFile.NOT_KNOWN, false));
        assertThat(read(7)).containsExactly(4);
    }

    @Test
    void aFullFileRefusesAndStaysAsItWas() throws IOException {
        file.begin(1, 1);
        append(1, FILE_BYTES - FrameFile.FRAMES_AT - 4 * FrameFile.FRAME_ALIGN);
        assertThat(file.hasRoomFor(1000)).isFalse();
        assertThatThrownBy(() -> append(2, 1000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("full");
        append(3, 10);
        assertThat(read(1)).containsExactly(1, 3);
    }
}
