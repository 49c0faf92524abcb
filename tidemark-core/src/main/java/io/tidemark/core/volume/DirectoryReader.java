package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads the entries of one open directory after another, through one buffer. Not for more than one thread; nested
 * directories need a reader each, because the name of an entry lies in the buffer and is gone with the next fill.
 */
final class DirectoryReader {
    private static final long BUFFER_BYTES = 64 << 10;
    private static final long RECORD_LENGTH = 16;
    private static final long RECORD_TYPE = 18;
    private static final long RECORD_NAME = 19;
    private static final int TYPE_UNKNOWN = 0;
    private static final int TYPE_DIRECTORY = 4;
    private static final int TYPE_REGULAR = 8;

    private final DirectoryCalls calls;
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, Long.BYTES);
    private final Name name = Name.empty();
    private int directory;
    private long position;
    private long filled;
    private int type;
    private int error;

    DirectoryReader(DirectoryCalls calls) {
        this.calls = calls;
    }

    /** Starts over with another open directory. */
    void start(int descriptor) {
        directory = descriptor;
        position = 0;
        filled = 0;
        error = 0;
    }

    /** Moves to the next entry ({@code .} and {@code ..} are left out); false at the end or on an {@link #error}. */
    boolean next() {
        while (position < filled || fill()) {
            long record = position;
            position += Short.toUnsignedInt(buffer.get(ValueLayout.JAVA_SHORT, record + RECORD_LENGTH));
            type = buffer.get(ValueLayout.JAVA_BYTE, record + RECORD_TYPE);
            int length = lengthOfName(record + RECORD_NAME, position);
            name.moveTo(buffer, record + RECORD_NAME, length);
            if (!isSelfOrParent(length)) {
                return true;
            }
        }
        return false;
    }

    private boolean fill() {
        int result = calls.readEntries(directory, buffer);
        position = 0;
        filled = Math.max(result, 0);
        error = Math.min(result, 0);
        return result > 0;
    }

    /** Records are padded to eight bytes, so that the byte that ends a name is one of the record's last eight. */
    private int lengthOfName(long start, long nextRecord) {
        long end = Math.max(start, nextRecord - Long.BYTES);
        while (buffer.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return (int) (end - start);
    }

    private boolean isSelfOrParent(int length) {
        return length <= 2 && name.byteAt(0) == '.' && (length == 1 || name.byteAt(1) == '.');
    }

    /** Name of the current entry, valid until the next call of {@link #next}. */
    Name name() {
        return name;
    }

    /** Whether the entry may be a directory: file systems need not say. */
    boolean maybeDirectory() {
        return type == TYPE_DIRECTORY || type == TYPE_UNKNOWN;
    }

    /** Whether the entry may be a regular file: file systems need not say. */
    boolean maybeFile() {
        return type == TYPE_REGULAR || type == TYPE_UNKNOWN;
    }

    /** 0, or the negated error number that ended the reading. */
    int error() {
        return error;
    }
}
