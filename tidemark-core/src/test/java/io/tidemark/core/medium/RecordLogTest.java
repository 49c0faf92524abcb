package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordLogTest {
    private static final int BLOCKS = 3_000;

    private final List<BlockRecord> blocks = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();
    private final Random random = new Random(26);

    /** Frames of small and large records, with ends of blocks between them, over more than one chunk of memory. */
    private RecordLog filled() throws SysException {
        RecordLog log = new RecordLog(NativeSys.INSTANCE);
        while (blocks.size() < BLOCKS) {
            ByteBuffer frame = FrameFile.buffer(300 << 10);
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                BlockRecord block = block(blocks.size());
                if (frame.remaining() < block.bytes() + RecordType.GONE_BYTES) {
                    break;
                }
                places.add(frame.position());
                block.encode(frame);
                blocks.add(block);
                if (random.nextInt(5) == 0) {
                    frame.put(RecordType.GONE).putLong(i);
                }
            }
            long position = log.append(frame.flip());
            places.forEach(place -> positions.add(position + place));
        }
        return log;
    }

    private BlockRecord block(int number) {
        byte[] key = new byte[random.nextInt(200) == 0 ? 65_536 : 1 + random.nextInt(60)];
        random.nextBytes(key);
        int[] runs = random.ints(random.nextInt(300) == 0 ? 20_000 : 2, 0, 1000).toArray();
        int length = random.nextInt(3 * Checksums.CHUNK_BYTES);
        return new BlockRecord(
                number,
                random.nextLong(),
                length,
                key,
                runs,
                random.ints(Checksums.chunks(length)).toArray());
    }

    private void assertShown(RecordLog.Row row, int number) {
        BlockRecord block = blocks.get(number);
        row.at(positions.get(number));
        assertThat(row.handle()).as("block %d", number).isEqualTo(number);
        assertThat(row.generation()).isEqualTo(block.generation());
        assertThat(Arrays.copyOfRange(row.window(), row.keyAt(), row.keyAt() + row.keyBytes()))
                .isEqualTo(block.key());
        assertThat(row.runPairs()).isEqualTo(block.runs());
        assertThat(row.lengthBytes()).isEqualTo(block.lengthBytes());
        for (int chunk = 0; chunk < block.checksums().length; chunk++) {
            assertThat(row.checksum(chunk)).isEqualTo(block.checksums()[chunk]);
        }
        ByteBuffer copy = FrameFile.buffer(block.bytes());
        ByteBuffer encoded = FrameFile.buffer(block.bytes());
        row.copyTo(copy);
        block.encode(encoded);
        assertThat(copy.flip()).isEqualTo(encoded.flip());
    }

    @Test
    void recordsAreShownInAnyOrder() throws SysException {
        try (RecordLog log = filled()) {
            RecordLog.Row row = log.row();
            for (int i = 0; i < blocks.size(); i++) {
                assertShown(row, i);
            }
            for (int i = blocks.size() - 1; i >= 0; i--) {
                assertShown(row, i);
            }
            int at = 0;
            for (int i = 0; i < 5 * BLOCKS; i++) {
                int step = random.nextInt(10) == 0 ? random.nextInt(blocks.size()) : random.nextInt(40) - 20;
                at = Math.floorMod(at + step, blocks.size());
                assertShown(row, at);
            }
        }
    }
}
