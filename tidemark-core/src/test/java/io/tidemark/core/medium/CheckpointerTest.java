package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints of blocks of which some were recorded again. */
class CheckpointerTest {
    private static final int FILE_BYTES = 1 << 20;
    private static final int SLICE_BYTES = 128 << 10;
    private static final int BLOCKS = 3_000;

    @TempDir
    Path dir;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final FrameFile[] checkpoints = new FrameFile[2];
    private final FrameFile[] journals = new FrameFile[2];
    private final RecordedAgain again = new RecordedAgain();
    private Checkpointer checkpointer;
    private Journal journal;

    @BeforeEach
    void open() throws IOException {
        for (int i = 0; i < 2; i++) {
            checkpoints[i] = file("checkpoint-" + i, FrameFile.Kind.CHECKPOINT);
            journals[i] = file("journal-" + i, FrameFile.Kind.JOURNAL);
        }
        checkpointer = new Checkpointer(checkpoints, journals, 1, again, SLICE_BYTES);
        journal = new Journal(journals, new DeviceHealth("/ssd0", System::nanoTime), _ -> {}, () -> {});
        journal.start(1, 1);
        checkpointer.write(1, new RecordLog(NativeSys.INSTANCE), new long[0]);
        journal.checkpointed(1);
    }

    private FrameFile file(String name, FrameFile.Kind kind) throws IOException {
        FrameFile made =
                new FrameFile(sys, dir.resolve(name).toString(), Sys.O_RDWR | Sys.O_CREAT, kind, FILE_BYTES, 4096);
        made.grow();
        return made;
    }

    private long put(long handle, int version) {
        byte[] key = ByteBuffer.allocate(150).putInt(version).array();
        return journal.put(new BlockRecord(handle, 1, 0, key, new int[0], new int[0]));
    }

    private void putAgain(long handle, int version) {
        again.begin(handle);
        again.recorded(handle, put(handle, version));
    }

    /** Version of each block in the order of a checkpoint, as {@code handle * 10 + version}. */
    private List<Long> held(long epoch) throws IOException {
        List<Long> held = new ArrayList<>();
        checkpoints[(int) (epoch % 2)].readFrames(epoch, (payload, afterGap) -> {
            while (payload.get(payload.position()) == RecordType.PUT) {
                int at = payload.position();
                int version = payload.getInt(at + BlockRecord.KEY_AT);
                // The key is big-endian, the files are not.
                held.add(payload.getLong(at + BlockRecord.HANDLE_AT) * 10 + Integer.reverseBytes(version));
                payload.position(at + BlockRecord.bytesAt(payload, at));
                if (!payload.hasRemaining()) {
                    return true;
                }
            }
            return false;
        });
        return held;
    }

    private void beginEpoch() throws IOException {
        journal.flush(journal.appended());
        journal.wantEpoch();
        journal.flush(journal.gone(Long.MAX_VALUE));
    }

    private void advance(long epoch) throws IOException {
        if (journal.epoch() < epoch) {
            beginEpoch();
        }
        long merged = journal.lastBefore();
        checkpointer.advanceTo(epoch, handle -> true, written -> {});
        journal.checkpointed(epoch);
        again.merged(merged);
    }

    @Test
    void theYoungestRecordOfEachBlockStaysAndNothingIsRememberedOfWhatWasMerged() throws IOException {
        for (int handle = 1; handle <= 20; handle++) {
            put(handle, 0);
        }
        putAgain(3, 1);
        putAgain(5, 1);
        putAgain(3, 2);
        advance(2);
        assertThat(again.isEmpty()).as("what was merged is forgotten").isTrue();
        assertThat(held(2)).hasSize(20).contains(32L, 51L, 10L).doesNotContain(30L, 31L, 50L);
        putAgain(7, 1);
        putAgain(3, 3);
        advance(3);
        assertThat(held(3)).hasSize(20).contains(33L, 51L, 71L).doesNotContain(32L, 70L);
        assertThat(again.isEmpty()).isTrue();
        advance(4);
        assertThat(held(4)).hasSameElementsAs(held(3));
    }

    @Test
    void whatIsRecordedAgainAfterTheEpochBeganIsRemembered() throws IOException {
        put(1, 0);
        beginEpoch();
        putAgain(1, 1);
        advance(2);
        assertThat(again.contains(1)).isTrue();
        advance(3);
        assertThat(held(3)).containsExactly(11L);
        assertThat(again.isEmpty()).isTrue();
    }

    @Test
    void aCheckpointIsWrittenBackInSlices() throws IOException {
        for (int handle = 1; handle <= BLOCKS; handle++) {
            put(handle, 0);
        }
        journal.flush(journal.appended());
        long before = sys.count("fdatasync");
        advance(2);
        long bytes = checkpoints[0].writtenBytes();
        long ofCheckpoint = sys.count("fdatasync") - before - 2; // the first is of the journal, the last of the end
        assertThat(ofCheckpoint).isBetween(bytes / (SLICE_BYTES * 2L), bytes / SLICE_BYTES + 1);
    }
}
