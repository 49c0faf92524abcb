package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.CorruptBlockException;
import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.Medium;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Copies the bytes of one copy to another medium, in steps. Between them it looks whether the source is still there to be
 * found: who discards the block waits for the step that is under way, not for all of a block that may have 64 MiB.
 *
 * @param from a copy in the source, pinned
 * @param to a reservation in the target
 */
record Transfer(Medium source, long from, Medium target, long to) {
    /**
     * Short, so that a discard does not wait long. Blocks of 16 MiB went down no slower in such steps than in steps of 4 MiB or in
     * one (docs/performance.md, SSD tier).
     */
    static final long STEP_BYTES = 1 << 20;

    /** Damage in the source, told from damage in the target, which reads what it holds of a block that was not written in order. */
    static final class DamagedSourceException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedSourceException(CorruptBlockException cause) {
            super(cause);
        }
    }

    /** One step, of so many bytes from there on. */
    private interface Step {
        void copy(long at, MemorySegment bytes) throws IOException;
    }

    /** False: the source was discarded meanwhile, and what is in the target is of no use. */
    boolean run() throws IOException {
        if (source instanceof MappedMedium mapped) {
            return inSteps(mapped.segments(from), STEP_BYTES, (at, bytes) -> target.write(to, at, bytes));
        }
        if (target instanceof MappedMedium mapped) {
            // Nobody waits for the end of this: what comes to memory is recorded nowhere.
            return inSteps(mapped.segments(to), Long.MAX_VALUE, this::readSource);
        }
        return throughBuffer();
    }

    private boolean inSteps(List<MemorySegment> segments, long most, Step step) throws IOException {
        long at = 0;
        for (MemorySegment segment : segments) {
            long into = 0;
            while (into < segment.byteSize() && isWanted()) {
                MemorySegment bytes = segment.asSlice(into, Math.min(most, segment.byteSize() - into));
                step.copy(at + into, bytes);
                into += bytes.byteSize();
            }
            at += segment.byteSize();
        }
        return isWanted();
    }

    private boolean throughBuffer() throws IOException {
        CopyTable copies = source.copies();
        long length = copies.lengthBytes(from);
        if (length > 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(Math.min(length, STEP_BYTES));
                for (long at = 0; at < length && isWanted(); at += buffer.byteSize()) {
                    MemorySegment bytes = buffer.asSlice(0, Math.min(buffer.byteSize(), length - at));
                    readSource(at, bytes);
                    target.write(to, at, bytes);
                }
            }
        }
        return isWanted();
    }

    private void readSource(long at, MemorySegment bytes) throws IOException {
        try {
            source.read(from, at, bytes);
        } catch (CorruptBlockException e) {
            throw new DamagedSourceException(e);
        }
    }

    /** Asked without the entry's lock: a block that goes a moment later is found out by who commits the copy. */
    private boolean isWanted() {
        return source.copies().state(from).findable();
    }
}
