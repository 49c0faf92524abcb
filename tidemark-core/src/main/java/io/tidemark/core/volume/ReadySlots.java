package io.tidemark.core.volume;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Slots of 68 bytes outside the heap, one per file that is ready to go, 64 of them together:
 *
 * <pre>
 *  0 recency, seconds    4 bytes, units of 512     8 next in bucket    12 previous in bucket
 * 16 rank number (2)    18 form of path (2 bits), number of walk (6)  19 length of path (1)  20 hash of rank and path
 * 24 packed path (40)
 * </pre>
 *
 * and 4 behind the slots of a chunk, the place of the file's directory ({@link PackedPath#place}).
 *
 * Numbers are little-endian, so that what is read again and again (use, place in the order of directories) takes one
 * access or two: each costs as much as ten of a heap array with the compiler that the evictor runs with.
 *
 * <p>Paths too long for a slot lie on the heap, as many as there is room for. Memory grows by chunks of a bit more than 1
 * MiB as slots are used and is kept. Guarded by the lock of the {@link ReadyBuffer}.
 */
final class ReadySlots {
    static final int NONE = -1;

    private static final int SLOT_BYTES = 64;
    private static final int CHUNK_SHIFT = 14;
    private static final int RECENCY = 0;
    private static final int NEXT = 8;
    private static final int PREVIOUS = 12;
    private static final int RANK = 16;
    private static final int FORM = 18;
    private static final int LENGTH = 19;
    private static final int HASH = 20;
    private static final int PATH = 24;
    private static final int UNIT_SHIFT = 9;

    /** Bits of the form; those above hold the number of a walk, which is less than {@link Census#WALKS}. */
    private static final int FORM_BITS = 2;

    private static final int FORM_MASK = (1 << FORM_BITS) - 1;

    /** Where in a chunk the places of directories begin. */
    private static final long PLACES = (long) SLOT_BYTES << CHUNK_SHIFT;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final List<MemorySegment> chunks = new ArrayList<>();
    private final Map<Integer, byte[]> longPaths = new HashMap<>();
    private final int longPathsMax;
    private int freeHead = NONE;
    private int used;

    /**
     * No slots yet.
     *
     * @param longPathsMax bound of the paths that do not fit their slot
     */
    ReadySlots(int longPathsMax) {
        this.longPathsMax = longPathsMax;
    }

    /** Whether there is room for no more path that does not fit its slot. */
    boolean isFullOfLongPaths() {
        return longPaths.size() >= longPathsMax;
    }

    /** Whether the path of a slot is one that does not fit it. */
    boolean isLong(int slot) {
        return form(slot) == PackedPath.Form.LONG;
    }

    /** A slot that holds a path; of those that do not fit there must be room for one more. */
    int allocate(int rank, PackedPath path, Name name, int hash) {
        boolean isLong = path.form() == PackedPath.Form.LONG;
        if (isLong && isFullOfLongPaths()) {
            throw new IllegalStateException(longPathsMax + " long paths are there already");
        }
        int slot = takeFree();
        MemorySegment chunk = chunk(slot);
        long at = at(slot);
        int length = isLong ? 0 : path.length();
        chunk.set(
                LONG,
                at + RANK,
                (rank & 0xffffL) | (long) path.form().code() << 16 | (long) length << 24 | (long) hash << 32);
        if (isLong) {
            longPaths.put(slot, path.path(name));
        } else {
            MemorySegment.copy(path.bytes(), 0, chunk, ValueLayout.JAVA_BYTE, at + PATH, path.length());
        }
        chunk.set(INT, placeAt(slot), path.place(rank));
        return slot;
    }

    private int takeFree() {
        if (freeHead != NONE) {
            int slot = freeHead;
            freeHead = next(slot);
            return slot;
        }
        if (used == chunks.size() << CHUNK_SHIFT) {
            chunks.add(Arena.ofAuto().allocate(PLACES + ((long) Integer.BYTES << CHUNK_SHIFT), SLOT_BYTES));
        }
        return used++;
    }

    void release(int slot) {
        if (form(slot) == PackedPath.Form.LONG) {
            longPaths.remove(slot);
        }
        setNext(slot, freeHead);
        freeHead = slot;
    }

    /** Last use and allocated bytes in one, for {@link #recencyOf} and {@link #bytesOf}. */
    long use(int slot) {
        return chunk(slot).get(LONG, at(slot) + RECENCY);
    }

    /** Last use in seconds since 1970 (unsigned: up to the year 2106). */
    static long recencyOf(long use) {
        return use & 0xffff_ffffL;
    }

    /** Allocated bytes, up to 2 TiB. */
    static long bytesOf(long use) {
        return use >>> 32 << UNIT_SHIFT;
    }

    long recency(int slot) {
        return recencyOf(use(slot));
    }

    void setSeen(int slot, Seen seen) {
        long units = Math.min(seen.bytes() >> UNIT_SHIFT, 0xffff_ffffL);
        MemorySegment chunk = chunk(slot);
        long at = at(slot);
        chunk.set(LONG, at + RECENCY, Math.clamp(seen.recencySeconds(), 0, 0xffff_ffffL) | units << 32);
        int form = chunk.get(ValueLayout.JAVA_BYTE, at + FORM) & FORM_MASK;
        chunk.set(ValueLayout.JAVA_BYTE, at + FORM, (byte) (form | seen.walk() << FORM_BITS));
    }

    Seen seen(int slot) {
        long use = use(slot);
        int walk = Byte.toUnsignedInt(chunk(slot).get(ValueLayout.JAVA_BYTE, at(slot) + FORM)) >> FORM_BITS;
        return new Seen(recencyOf(use), bytesOf(use), walk);
    }

    int next(int slot) {
        return get(slot, NEXT);
    }

    void setNext(int slot, int next) {
        set(slot, NEXT, next);
    }

    int previous(int slot) {
        return get(slot, PREVIOUS);
    }

    void setPrevious(int slot, int previous) {
        set(slot, PREVIOUS, previous);
    }

    int rank(int slot) {
        return Short.toUnsignedInt(chunk(slot).get(SHORT, at(slot) + RANK));
    }

    /** The path below the rank directory. */
    byte[] path(int slot) {
        return switch (form(slot)) {
            case HASH -> PackedPath.unpack(packed(slot), length(slot));
            case PLAIN -> packed(slot);
            case LONG -> longPath(slot).clone();
        };
    }

    /** A number of 32 bits that puts slots in the order of their directories ({@link PackedPath#place}). */
    long directoryOrder(int slot) {
        return Integer.toUnsignedLong(chunk(slot).get(INT, placeAt(slot)));
    }

    /** Whether a slot holds this path. */
    boolean matches(int slot, int rank, PackedPath path, Name name, int hash) {
        if (hash(slot) != hash || rank(slot) != rank || form(slot) != path.form()) {
            return false;
        }
        if (path.form() == PackedPath.Form.LONG) {
            return Arrays.equals(longPath(slot), path.path(name));
        }
        return length(slot) == path.length()
                && MemorySegment.mismatch(
                                chunk(slot),
                                at(slot) + PATH,
                                at(slot) + PATH + path.length(),
                                MemorySegment.ofArray(path.bytes()),
                                0,
                                path.length())
                        < 0;
    }

    /** Whether a slot holds this file, whatever was seen of it. */
    boolean holds(int slot, VolumeFile file) {
        return hash(slot) == file.pathHash()
                && rank(slot) == file.rank().id()
                && Arrays.equals(path(slot), file.path());
    }

    /** The hash that the slot was allocated with. */
    int hash(int slot) {
        return get(slot, HASH);
    }

    /** Hash of a path in a rank directory. */
    static int hash(int rank, PackedPath path, Name name) {
        if (path.form() == PackedPath.Form.LONG) {
            byte[] bytes = path.path(name);
            return hash(rank, bytes, bytes.length);
        }
        return hash(rank, path.bytes(), path.length());
    }

    /** Hash of bytes in a rank directory. */
    static int hash(int rank, byte[] bytes, int length) {
        long hash = rank * 0x9E3779B97F4A7C15L + length;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ bytes[i]) * 0x100000001B3L;
        }
        hash ^= hash >>> 32;
        hash *= 0xD6E8FEB86659FD93L;
        return (int) (hash >>> 32);
    }

    private byte[] longPath(int slot) {
        return longPaths.getOrDefault(slot, new byte[0]);
    }

    private byte[] packed(int slot) {
        byte[] bytes = new byte[length(slot)];
        MemorySegment.copy(chunk(slot), ValueLayout.JAVA_BYTE, at(slot) + PATH, bytes, 0, bytes.length);
        return bytes;
    }

    private PackedPath.Form form(int slot) {
        return PackedPath.Form.of((byte) (chunk(slot).get(ValueLayout.JAVA_BYTE, at(slot) + FORM) & FORM_MASK));
    }

    private int length(int slot) {
        return Byte.toUnsignedInt(chunk(slot).get(ValueLayout.JAVA_BYTE, at(slot) + LENGTH));
    }

    private int get(int slot, int field) {
        return chunk(slot).get(INT, at(slot) + field);
    }

    private void set(int slot, int field, int value) {
        chunk(slot).set(INT, at(slot) + field, value);
    }

    private MemorySegment chunk(int slot) {
        return chunks.get(slot >> CHUNK_SHIFT);
    }

    private static long placeAt(int slot) {
        return PLACES + (long) (slot & ((1 << CHUNK_SHIFT) - 1)) * Integer.BYTES;
    }

    private static long at(int slot) {
        return (long) (slot & ((1 << CHUNK_SHIFT) - 1)) * SLOT_BYTES;
    }
}
