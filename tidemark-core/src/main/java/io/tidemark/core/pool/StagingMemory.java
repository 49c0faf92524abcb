package io.tidemark.core.pool;

import io.tidemark.core.medium.HugeMemory;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * Pieces of memory that devices read into, each used again for another value of about its size. Small ones share huge pages,
 * and large ones consist of such, as a device is quicker to fill these.
 *
 * <p>Memory goes back to the system when there is more than the limit, or no room for a piece of another size. What is shared
 * goes only when none of it is in use, so it may take half of the limit at most. Not thread-safe.
 */
final class StagingMemory {
    /** What media with direct I/O read into without a copy. */
    private static final long ALIGN_BYTES = 4096;
    /** From here on memory is mapped, which takes no time before it is touched. */
    private static final long MAPPED_BYTES_MIN = 128 << 10;

    /** Huge pages that pieces of one size share, at most: so many that an eighth is left over at most. */
    private static final int SHARED_PAGES_MAX = 4;

    private static final int LEFT_OVER_MAX = 8;

    /** What is asked from the system, and given back, at once. */
    private static final class Region {
        private final Arena arena = Arena.ofShared();
        private final long bytes;
        /** Pieces that are in use. */
        private int used;

        private boolean closed = false;

        Region(long bytes) {
            this.bytes = bytes;
        }

        /** Gives it back where nobody uses it. A reader whose pin has ended may be in the middle of it: later, then. */
        private boolean close() {
            if (used == 0 && !closed) {
                try {
                    arena.close();
                    closed = true;
                } catch (IllegalStateException _) {
                    return false;
                }
            }
            return closed;
        }
    }

    /** Memory of one size. */
    static final class Piece {
        final MemorySegment segment;
        private final Region region;
        private final boolean shared;

        private Piece(MemorySegment segment, Region region, boolean shared) {
            this.segment = segment;
            this.region = region;
            this.shared = shared;
        }
    }

    private final long limitBytes;
    private final boolean huge;
    /** Pieces nobody uses, by size. */
    private final Map<Long, ArrayDeque<Piece>> idle = new HashMap<>();

    private long regionBytes = 0;
    private long sharedBytes = 0;

    /** @param huge whether huge pages are asked for */
    StagingMemory(long limitBytes, boolean huge) {
        this.limitBytes = limitBytes;
        this.huge = huge;
    }

    /**
     * A piece of so many bytes.
     *
     * @param beyond whether it may be beyond the limit
     * @return nothing where there is no room
     */
    Optional<Piece> take(long bytes, boolean beyond) {
        Optional<Piece> taken = Optional.ofNullable(idle.get(bytes)).map(ArrayDeque::poll);
        if (taken.isEmpty()) {
            taken = shared(bytes).or(() -> single(bytes, beyond));
        }
        taken.ifPresent(piece -> piece.region.used++);
        return taken;
    }

    /** One of several new pieces in common huge pages. */
    private Optional<Piece> shared(long bytes) {
        long together = sharedBytesOf(bytes);
        if (!huge || together == 0 || sharedBytes + together > limitBytes / 2 || regionBytes + together > limitBytes) {
            return Optional.empty();
        }
        Region region = new Region(together);
        Optional<MemorySegment> memory = map(region);
        if (memory.isEmpty()) {
            return Optional.empty();
        }
        regionBytes += together;
        sharedBytes += together;
        for (long at = bytes; at + bytes <= together; at += bytes) {
            push(new Piece(memory.get().asSlice(at, bytes), region, true));
        }
        return Optional.of(new Piece(memory.get().asSlice(0, bytes), region, true));
    }

    /** Bytes of the huge pages that pieces of this size share; 0: too much would be left over. */
    private static long sharedBytesOf(long bytes) {
        for (int pages = 1; bytes < HugeMemory.PAGE_BYTES && pages <= SHARED_PAGES_MAX; pages++) {
            long together = pages * HugeMemory.PAGE_BYTES;
            if (together % bytes <= together / LEFT_OVER_MAX) {
                return together;
            }
        }
        return 0;
    }

    private Optional<Piece> single(long bytes, boolean beyond) {
        dropIdle(limitBytes - bytes);
        if (regionBytes + bytes > limitBytes && !beyond) {
            return Optional.empty();
        }
        Region region = new Region(bytes);
        Optional<MemorySegment> memory = bytes >= MAPPED_BYTES_MIN ? map(region) : allocate(region);
        regionBytes += memory.isPresent() ? bytes : 0;
        return memory.map(segment -> new Piece(segment, region, false));
    }

    private static Optional<MemorySegment> allocate(Region region) {
        try {
            return Optional.of(region.arena.allocate(region.bytes, ALIGN_BYTES));
        } catch (OutOfMemoryError e) { // as much a want of room as the limit
            region.arena.close();
            return Optional.empty();
        }
    }

    private Optional<MemorySegment> map(Region region) {
        try {
            return Optional.of(HugeMemory.map(NativeSys.INSTANCE, region.bytes, region.arena, huge));
        } catch (SysException e) { // the same
            region.arena.close();
            return Optional.empty();
        }
    }

    void giveBack(Piece piece) {
        piece.region.used--;
        push(piece);
        dropIdle(limitBytes);
    }

    private void push(Piece piece) {
        idle.computeIfAbsent(piece.segment.byteSize(), size -> new ArrayDeque<>())
                .push(piece);
    }

    /** Gives the system memory back until there is no more than this, or none of it is idle. */
    private void dropIdle(long most) {
        Iterator<ArrayDeque<Piece>> sizes = idle.values().iterator();
        while (regionBytes > most && sizes.hasNext()) {
            ArrayDeque<Piece> pieces = sizes.next();
            for (Iterator<Piece> each = pieces.iterator(); each.hasNext(); ) {
                Piece piece = each.next();
                boolean was = piece.region.closed;
                if (was || (regionBytes > most && piece.region.close())) {
                    regionBytes -= was ? 0 : piece.region.bytes;
                    sharedBytes -= was || !piece.shared ? 0 : piece.region.bytes;
                    each.remove();
                }
            }
            if (pieces.isEmpty()) {
                sizes.remove();
            }
        }
    }
}
