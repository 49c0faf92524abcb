package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes checkpoints: the blocks that are still there, in the order in which they came. A checkpoint is made from the one
 * before and the journal since, so that no key needs to be kept in memory for it.
 */
final class Checkpointer {
    private static final int FRAME_BYTES = 64 << 10;

    private final FrameFile[] checkpoints;
    private final FrameFile[] journals;
    private final int generationFloor;
    private final LongPredicate recordedAgain;

    /** {@code recordedAgain} tells which handles may have several records. */
    Checkpointer(FrameFile[] checkpoints, FrameFile[] journals, int generationFloor, LongPredicate recordedAgain) {
        this.checkpoints = checkpoints;
        this.journals = journals;
        this.generationFloor = generationFloor;
        this.recordedAgain = recordedAgain;
    }

    /**
     * Writes checkpoint {@code epoch} from checkpoint and journal {@code epoch - 1}.
     *
     * @param alive tells which handles still name a block
     * @param between run after each frame that was read
     */
    void advanceTo(long epoch, LongPredicate alive, Runnable between) throws IOException {
        Writer writer = new Writer(checkpoints[(int) (epoch % 2)], epoch);
        int from = (int) ((epoch - 1) % 2);
        FrameFile.FrameReader copyAlive = (payload, afterGap) -> {
            boolean more = copyAlive(payload, alive, writer);
            between.run();
            return more;
        };
        checkpoints[from].readFrames(epoch - 1, copyAlive);
        journals[from].readFrames(epoch - 1, copyAlive);
        writer.end();
        checkpoints[(int) (epoch % 2)].sync();
    }

    /** Writes a checkpoint of exactly these blocks; it is not synced, its predecessor stays until the next one. */
    void write(long epoch, RecordLog log, long[] blocks) throws IOException {
        Writer writer = new Writer(checkpoints[(int) (epoch % 2)], epoch);
        RecordLog.Row block = log.row();
        for (long position : blocks) {
            block.at(position).copyTo(writer.roomFor(block.bytes()));
        }
        writer.end();
    }

    private static boolean copyAlive(ByteBuffer payload, LongPredicate alive, Writer writer) {
        boolean more = true;
        while (more && payload.hasRemaining()) {
            int at = payload.position();
            switch (payload.get(at)) {
                case RecordType.PUT -> {
                    int bytes = BlockRecord.bytesAt(payload, at);
                    long handle = payload.getLong(at + BlockRecord.HANDLE_AT);
                    if (alive.test(handle)) {
                        writer.add(handle, payload.slice(at, bytes));
                    }
                    payload.position(at + bytes);
                }
                case RecordType.GONE -> payload.position(at + RecordType.GONE_BYTES);
                default -> more = false;
            }
        }
        return more;
    }

    /** Packs records into frames. Failures are kept until the end: a reader cannot throw. */
    private final class Writer {
        private final FrameFile file;
        private ByteBuffer frame = FrameFile.buffer(FRAME_BYTES);
        /** The youngest record so far of each block that has several. */
        private final Map<Long, ByteBuffer> several = new LinkedHashMap<>();

        private long blocks;
        private @Nullable IOException failure;

        Writer(FrameFile file, long epoch) throws IOException {
            this.file = file;
            file.begin(epoch, generationFloor);
            frame.position(FrameFile.FRAME_HEADER_BYTES);
        }

        /** Where the next record of so many bytes goes. */
        ByteBuffer roomFor(int bytes) {
            reserve(bytes);
            blocks++;
            return frame;
        }

        /** Adds a record, unless it may be followed by a younger one of the same block: then at the end. */
        void add(long handle, ByteBuffer blockRecord) {
            if (recordedAgain.test(handle)) {
                several.put(
                        handle,
                        ByteBuffer.allocate(blockRecord.remaining())
                                .put(blockRecord)
                                .flip());
            } else {
                roomFor(blockRecord.remaining()).put(blockRecord);
            }
        }

        void end() throws IOException {
            several.values().forEach(youngest -> roomFor(youngest.remaining()).put(youngest));
            reserve(RecordType.GONE_BYTES);
            frame.put(RecordType.END).putLong(blocks);
            emit();
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

        private void emit() {
            if (frame.position() > FrameFile.FRAME_HEADER_BYTES && failure == null) {
                try {
                    file.append(frame.flip());
                } catch (IOException e) {
                    failure = e;
                }
            }
            frame.clear().position(FrameFile.FRAME_HEADER_BYTES);
        }
    }
}
