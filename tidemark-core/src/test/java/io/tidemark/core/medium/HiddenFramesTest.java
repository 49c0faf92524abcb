package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A client that knows the format, and puts whole frames for the journal into its keys. */
class HiddenFramesTest extends SsdHarnessTest {
    private static final int EPOCHS = 64;
    /** A key that is recorded alone begins so many bytes behind a place where frames begin. */
    private static final int KEY_AT = FrameFile.FRAME_HEADER_BYTES + BlockRecord.KEY_AT;

    /** For each epoch a frame that says of a key that it is empty, in a generation above all. */
    private static String keyOfFrames(String victim) throws IOException {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        key.write(new byte[FrameFile.FRAME_ALIGN - KEY_AT]);
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
            byte[] name = victim.getBytes(StandardCharsets.ISO_8859_1);
            BlockRecord forged = new BlockRecord(200, Long.MAX_VALUE, 0, name, new int[0], new int[0]);
            ByteBuffer payload = ByteBuffer.allocate(forged.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            forged.encode(payload);
            key.write(SsdFormat.frameWithoutSalt(epoch, 1, payload.array()));
        }
        return key.toString(StandardCharsets.ISO_8859_1);
    }

    /** A start looks for frames behind the last one too, where those of an earlier epoch lie. */
    @Test
    void framesInKeysDropNothingAndChangeNothing() throws IOException {
        harness.layout = new SsdLayout(256 << 10, 256 << 10, SsdHarness.PAGES);
        harness.reopen();
        for (int i = 0; i < 20; i++) {
            harness.put("victim-" + i, 5_000);
        }
        String key = keyOfFrames("victim-7");
        for (int i = 0; i < 200; i++) {
            harness.put(key, 100);
        }
        assertThat(harness.ssd.numbers().orElseThrow().checkpoints().count())
                .as("journals were written over")
                .isGreaterThanOrEqualTo(2);
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(before);
    }
}
