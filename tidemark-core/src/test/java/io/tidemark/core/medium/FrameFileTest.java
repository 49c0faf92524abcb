package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameFileTest {
    private static final int FILE_BYTES = 16 << 10;

    @TempDir
    Path dir;

    private Path path;
    private FrameFile file;

    /** A journal file of a new medium. */
    static FrameFile open(Sys sys, String path, long bytes) throws IOException {
        FrameFile made = new FrameFile(sys, path, Sys.O_RDWR | Sys.O_CREAT, FrameFile.Kind.JOURNAL, bytes, 4096);
        made.grow();
        return made;
    }

    @BeforeEach
    void open() throws IOException {
        path = dir.resolve("journal");
        file = open(NativeSys.INSTANCE, path.toString(), FILE_BYTES);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private void append(int value, int bytes) throws IOException {
        ByteBuffer frame = FrameFile.buffer(FrameFile.FRAME_HEADER_BYTES + bytes);
        frame.position(FrameFile.FRAME_HEADER_BYTES);
        while (frame.hasRemaining()) {
            frame.put((byte) value);
        }
        file.append(frame.flip());
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
        assertThat(read(5)).as("what is left of it is behind a gap").containsExactly(-2);
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
        byte[] after = header(19, 30, 85);
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
        byte[] header = new byte[48];
        try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "r")) {
            bytes.readFully(header);
        }
        return header;
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
