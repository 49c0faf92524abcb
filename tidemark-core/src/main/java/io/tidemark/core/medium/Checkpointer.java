package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes checkpoints: the blocks that are still there, in the order in which they came. A checkpoint is made from the one
 * before and the journal since, so that no key needs to be kept in memory for it.
 */
final class Checkpointer {
    private static final int FRAME_BYTES = 64 << 10;
    /** Written back to the device at once: a whole checkpoint in one go would hold up reads. */
    private static final long SLICE_BYTES = 8 << 20;

    /** Is told between two frames how much is written so far. */
    interface Between {
        void written(long bytes);
    }

    private final FrameFile[] checkpoints;
    private final FrameFile[] journals;
    private final int generationFloor;
    private final RecordedAgain recordedAgain;
    private final long sliceBytes;

    Checkpointer(FrameFile[] checkpoints, FrameFile[] journals, int generationFloor, RecordedAgain recordedAgain) {
        this(checkpoints, journals, generationFloor, recordedAgain, SLICE_BYTES);
    }

    /** {@code sliceBytes}: what is written and not synced at most. */
    Checkpointer(
            FrameFile[] checkpoints,
            FrameFile[] journals,
            int generationFloor,
            RecordedAgain recordedAgain,
            long sliceBytes) {
        this.sliceBytes = sliceBytes;
        this.checkpoints = checkpoints;
        this.journals = journals;
        this.generationFloor = generationFloor;
        this.recordedAgain = recordedAgain;
    }

    /** Writes the header of checkpoint {@code epoch}; it is none without its end, and the one before counts. */
    void begin(long epoch) throws IOException {
        checkpoints[(int) (epoch % 2)].begin(epoch, generationFloor);
    }

    /**
     * Writes checkpoint {@code epoch} from checkpoint and journal {@code epoch - 1}.
     *
     * @param alive tells which handles still name a block
     * @param between run after each frame that was read
     * @return bytes of the checkpoint
     */
    long advanceTo(long epoch, LongPredicate alive, Between between) throws IOException {
        int from = (int) ((epoch - 1) % 2);
        Youngest youngest = new Youngest();
        Writer writer = new Writer(epoch, sliceBytes);
        if (!recordedAgain.isEmpty()) {
            read(journals[from], epoch - 1, youngest::note, writer, between);
        }
        read(checkpoints[from], epoch - 1, copyTo(writer, alive, youngest::isInCheckpoint), writer, between);
        read(journals[from], epoch - 1, copyTo(writer, alive, youngest::isNext), writer, between);
        writer.end();
        return writer.writtenBytes();
    }

    /** Hears the records of blocks in their order. */
    private interface PutReader {
        void put(long handle, ByteBuffer blockRecord);
    }

    private static PutReader copyTo(Writer writer, LongPredicate alive, LongPredicate youngest) {
        return (handle, blockRecord) -> {
            if (youngest.test(handle) && alive.test(handle)) {
                writer.roomFor(blockRecord.remaining()).put(blockRecord);
            }
        };
    }

    private static void read(FrameFile file, long epoch, PutReader reader, Writer writer, Between between)
            throws IOException {
        file.readFrames(epoch, (payload, afterGap) -> {
            boolean more = readPuts(payload, reader);
            between.written(writer.writtenBytes());
            return more;
        });
    }

    /** Which record of a block with several is the youngest: the last one in the journal, by its number. */
    private final class Youngest {
        private final Map<Long, Long> last = new HashMap<>();
        private long noted;
        private long read;

        void note(long handle, ByteBuffer blockRecord) {
            long number = noted++;
            if (recordedAgain.contains(handle)) {
                last.put(handle, number);
            }
        }

        boolean isInCheckpoint(long handle) {
            return !last.containsKey(handle);
        }

        boolean isNext(long handle) {
            long number = read++;
            return last.getOrDefault(handle, number) == number;
        }
    }

    /** Writes a checkpoint of exactly these blocks. */
    void write(long epoch, RecordLog log, long[] blocks) throws IOException {
        Writer writer = new Writer(epoch, Long.MAX_VALUE);
        RecordLog.Row block = log.row();
        for (long position : blocks) {
            block.at(position).copyTo(writer.roomFor(block.bytes()));
        }
        writer.end();
    }

    private static boolean readPuts(ByteBuffer payload, PutReader reader) {
        boolean more = true;
        while (more && payload.hasRemaining()) {
            int at = payload.position();
            switch (payload.get(at)) {
                case RecordType.PUT -> {
                    int bytes = BlockRecord.bytesAt(payload, at);
                    reader.put(payload.getLong(at + BlockRecord.HANDLE_AT), payload.slice(at, bytes));
                    payload.position(at + bytes);
                }
                case RecordType.GONE -> payload.position(at + RecordType.GONE_BYTES);
                default -> more = false;
            }
        }
        return more;
    }

    /**
     * Packs records into frames. Failures are kept until the end: a reader cannot throw.
     *
     * <p>A power cut keeps what was synced and any part of the rest. A checkpoint that it leaves without its journal makes all
     * blocks doubtful, so the journal's header goes first; one that it leaves with its end and not all before that counts, and
     * lacks blocks, so the end goes last.
     */
    private final class Writer {
        private final FrameFile file;
        private ByteBuffer frame = FrameFile.buffer(FRAME_BYTES);
        private final long sliceBytes;
        private long syncedBytes;
        private long blocks;
        private @Nullable IOException failure;

        Writer(long epoch, long sliceBytes) throws IOException {
            int number = (int) (epoch % 2);
            file = checkpoints[number];
            this.sliceBytes = sliceBytes;
            journals[number].sync();
            file.begin(epoch, generationFloor);
            frame.position(FrameFile.FRAME_HEADER_BYTES);
        }

        /** Where the next record of so many bytes goes. */
        ByteBuffer roomFor(int bytes) {
            reserve(bytes);
            blocks++;
            return frame;
        }

        long writtenBytes() {
            return file.writtenBytes();
        }

        /** Writes the end; the checkpoint is on the device then. */
        void end() throws IOException {
            emit();
            requireWritten();
            file.sync();
            frame.put(RecordType.END).putLong(blocks);
            emit();
            requireWritten();
            file.sync();
        }

        private void requireWritten() throws IOException {
            if (failure != null) {
                throw failure;
            }
        }

        private void reserve(int bytes) {
            if (frame.remaining() < bytes) {
                emit();
            }
            if (frame.remaining() < bytes) {
                frame = FrameFile.buffer(FrameFile.FRAME_HEADER_BYTES + bytes);
                frame.position(FrameFile.FRAME_HEADER_BYTES);
            }
        }

        private void syncSlice() throws IOException {
            if (file.writtenBytes() - syncedBytes >= sliceBytes) {
                file.sync();
                syncedBytes = file.writtenBytes();
            }
        }

        private void emit() {
            if (frame.position() > FrameFile.FRAME_HEADER_BYTES && failure == null) {
                try {
                    file.append(frame.flip());
                    syncSlice();
                } catch (IOException e) {
                    failure = e;
                }
            }
            frame.clear().position(FrameFile.FRAME_HEADER_BYTES);
        }
    }
}
