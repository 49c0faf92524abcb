package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One kind of storage with its own allocator: hands out space, holds bytes, frees copies. It moves no bytes by
 * itself and evicts nothing by itself.
 *
 * <p>A copy is named by a {@code long} handle, slot and generation; a handle whose generation is past is
 * {@link CopyState#FREED} and every call on it is refused. State changes of a copy are made through
 * {@link #copies()} by the holder of the lock of the entry that the copy belongs to. Every medium passes
 * {@code MediumContractTest}.
 */
public interface Medium extends Reclaimable<Long>, AutoCloseable {
    /** Name of the backend instance, for example {@code dram0}. */
    String name();

    MediumKind kind();

    /** Unit of allocation in bytes; sizes are charged rounded up to it, one unit at least. */
    long pageBytes();

    /** Largest block this medium takes, in bytes. */
    long maxBlockBytes();

    /** What a block of this length is charged here: its length rounded up to pages, one page at least. */
    default long chargedBytes(long lengthBytes) {
        return CopyTable.charge(lengthBytes, pageBytes());
    }

    /** The account of this medium, in allocated bytes. */
    Ledger ledger();

    /** State, facts and order of the copies in this medium. */
    CopyTable copies();

    /** Asks for space for a block of {@code bytes} bytes. Never waits and never evicts. */
    Allocation allocate(long bytes);

    /**
     * As {@link #allocate(long)}, and makes sure that {@link #seal} finds room for a record under a key of this length.
     */
    default Allocation allocate(long bytes, int keyBytes) {
        return allocate(bytes);
    }

    /** Blocks of one {@link #allocateTogether} at most. */
    int TOGETHER_MAX = 64;

    /**
     * Asks for space for several blocks that will be written by one {@link #writeTogether}: all, or none. Never waits and
     * never evicts.
     *
     * @return a reservation each; empty when there is not room for all, or nothing is gained here by writing together:
     *     then each is asked for alone
     */
    default long[] allocateTogether(List<WholeBlock.Size> blocks) {
        return new long[0];
    }

    /**
     * Writes and {@linkplain #seal seals} reserved blocks, as one after the other would be, with fewer calls.
     *
     * @param blocks whole ones, of which nothing was written before
     * @throws IOException when one of them could not be written or sealed: the caller aborts all, and may try each alone
     */
    default void writeTogether(List<WholeBlock> blocks) throws IOException {
        for (WholeBlock block : blocks) {
            long at = 0;
            for (MemorySegment segment : block.segments()) {
                write(block.copy(), at, segment);
                at += segment.byteSize();
            }
            seal(block.copy(), block.key(), block.generation());
        }
    }

    /** Gives back a reservation that was not committed. Returns false when the handle is not RESERVED any more. */
    boolean abort(long copy);

    /**
     * Makes a written reservation durable to the extent this medium promises, before its {@link #commit}. May do I/O: the
     * caller holds no lock. A medium that outlives the process finds the block again after a restart from here on.
     *
     * @param key full key of the block, for media whose records describe themselves
     * @param generation the block's generation
     * @throws IOException when that failed; the caller aborts the reservation
     */
    default void seal(long copy, byte[] key, long generation) throws IOException {}

    /**
     * Makes a reserved copy COMMITTED; it enters the order. Returns false (and changes nothing) when the handle is not
     * RESERVED any more. {@linkplain #seal Seals} it where that has not been done, and does no I/O where it has.
     *
     * @param key full key of the block, for media whose records describe themselves
     * @param generation the block's generation
     */
    boolean commit(long copy, byte[] key, long generation) throws IOException;

    /** What a read brings from the medium at least, and verifies alone: reads at multiples of it move nothing beside. */
    default long readUnitBytes() {
        return 1;
    }

    /**
     * Records a findable copy under another key from here on, as far as this medium outlives the process; its bytes stay
     * as they are. Does no I/O: a kill within the next 100 ms may find the old key. The caller holds the lock of the
     * copy's entry.
     *
     * @param key as with {@link #seal}
     * @param generation as with {@link #seal}
     */
    default void recordAs(long copy, byte[] key, long generation) {}

    /**
     * Whether a copy may hold these bytes, as far as can be told without I/O; false is certain. The caller holds a pin.
     *
     * @param bytes as many as the copy has, in pieces
     */
    default boolean mayHold(long copy, List<MemorySegment> bytes) {
        return true;
    }

    /** Copies block bytes {@code [offset, offset + target.byteSize())} out. The caller holds a pin. */
    void read(long copy, long offset, MemorySegment target) throws IOException;

    /** Copies bytes in at {@code offset}. The caller holds the reservation. */
    void write(long copy, long offset, MemorySegment source) throws IOException;

    /** What {@link #noteEnd} answers when nothing of the copy outlives the process. */
    long NO_END = 0;

    /**
     * Notes in memory that a copy is at its end: it is DOOMED, or a reservation that will be aborted. Does no I/O; the
     * caller may hold the lock of the copy's entry. The free or the abort still has to come.
     *
     * @return a mark: once it is {@linkplain #awaitEnds written}, no restart brings the block back; {@link #NO_END} when
     *     none would
     */
    default long noteEnd(long copy) {
        return NO_END;
    }

    /**
     * Whether ends of copies can ever be written; false, for good: the file system takes no writes, and what is discarded here
     * is back after a restart.
     */
    default boolean recordsEnds() {
        return true;
    }

    /** Whether all ends up to this mark are written. Costs no lock. */
    default boolean endsWritten(long mark) {
        return true;
    }

    /** Begins to write all ends up to this mark, for who is going to {@linkplain #awaitEnds await} them; waits for nothing. */
    default void beginEnds(long mark) {}

    /**
     * Returns once all ends up to this mark survive a restart. Discards call it before they answer; a capacity eviction
     * need not, its block may come back after a kill. May do I/O: the caller holds no lock.
     *
     * @throws IOException when they could not be written within that time; they stay in line
     */
    default void awaitEnds(long mark, long withinMillis) throws IOException {}

    /** Shows, once, the copies that were found at the start, about the youngest first, maybe from several threads. */
    default void recovered(RecoveredCopies visitor) {}

    /** Whether the medium works. */
    default MediumHealth health() {
        return MediumHealth.HEALTHY;
    }

    /** How a medium on a device does; empty for one in memory. */
    default Optional<DeviceNumbers> numbers() {
        return Optional.empty();
    }

    /** Whether its bytes can be read now: else what is here counts as missing, and may be stored again. */
    default boolean readable() {
        return health().healthy();
    }

    /** Whether it takes writes now, of blocks and of their ends: else a copy that leaves here cannot come back. */
    default boolean writable() {
        return recordsEnds() && health().healthy();
    }

    @Override
    void close();
}
