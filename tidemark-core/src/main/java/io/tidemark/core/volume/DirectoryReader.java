package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the entries of one open directory after another, through one buffer: the kernel fills it outside the heap, where
 * names go back to the kernel from, and a copy on the heap is what is looked at. Not for more than one thread; nested
 * directories need a reader each, because the name of an entry lies in the buffer and is gone with the next fill.
 */
final class DirectoryReader {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int RECORD_INODE = 0;
    private static final int RECORD_LENGTH = 16;
    private static final int RECORD_TYPE = 18;
    private static final int RECORD_NAME = 19;
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int TYPE_UNKNOWN = 0;
    private static final int TYPE_DIRECTORY = 4;
    private static final int TYPE_REGULAR = 8;

    private final DirectoryCalls calls;
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, Long.BYTES);
    private final byte[] entries = new byte[BUFFER_BYTES];
    private final Name name = Name.empty();
    private int directory;
    private int record;
    private int position;
    private int filled;
    private int nameOffset;
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
            record = position;
            position += Short.toUnsignedInt((short) SHORT.get(entries, record + RECORD_LENGTH));
            type = entries[record + RECORD_TYPE];
            nameOffset = record + RECORD_NAME;
            int length = lengthOfName(nameOffset, position);
            name.moveTo(entries, nameOffset, length);
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
        MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, entries, 0, filled);
        return result > 0;
    }

    /** Records are padded to eight bytes, so that the byte that ends a name is one of the record's last eight. */
    private int lengthOfName(int start, int nextRecord) {
        int end = Math.max(start, nextRecord - Long.BYTES);
        while (entries[end] != 0) {
            end++;
        }
        return end - start;
    }

    private boolean isSelfOrParent(int length) {
        return length <= 2 && name.byteAt(0) == '.' && (length == 1 || name.byteAt(1) == '.');
    }

    /** Name of the current entry, valid until the next call of {@link #next}. */
    Name name() {
        return name;
    }

    /** The buffer outside the heap that holds the current entry's name, ended by a zero byte, at {@link #nameOffset}. */
    MemorySegment buffer() {
        return buffer;
    }

    long nameOffset() {
        return nameOffset;
    }

    /** The inode of the current entry, as the listing has it. */
    long inode() {
        return (long) LONG.get(entries, record + RECORD_INODE);
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
