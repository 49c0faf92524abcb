package io.tidemark.core.medium;

/**
 * The account of one medium, in allocated bytes. Every byte of the capacity is in exactly one state, so the states
 * always add up to the capacity:
 *
 * <pre>  UNTOUCHED -> FREE -> RESERVED -> RESIDENT -> DOOMED -> FREE
 *                    RESERVED -> FREE
 *                    RESERVED -> UNTOUCHED   where the device turned out to have no room</pre>
 *
 * <p>Bytes move with the state transitions of copies, which happen once each; that makes them close-once. Thread-safe;
 * its monitor is a leaf of the lock order.
 */
public final class Ledger {
    private final long capacity;
    private long untouched;
    private long free;
    private long reserved;
    private long resident;
    private long doomed;

    /** An account whose bytes are all untouched. */
    Ledger(long capacityBytes) {
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("capacity of " + capacityBytes + " bytes; expected 0 or more");
        }
        capacity = capacityBytes;
        untouched = capacityBytes;
    }

    /**
     * All states at one instant.
     *
     * @param untouched not usable yet (or no longer): the pages behind them are not there
     * @param free can be reserved, to the last byte
     * @param reserved held by unfinished puts
     * @param resident held by findable copies
     * @param doomed held by copies that are no longer findable and wait for their last pin
     */
    public record Snapshot(long capacity, long untouched, long free, long reserved, long resident, long doomed) {
        public Snapshot {
            long sum = untouched + free + reserved + resident + doomed;
            if (sum != capacity
                    || Math.min(Math.min(untouched, free), Math.min(reserved, Math.min(resident, doomed))) < 0) {
                throw new IllegalStateException(
                        "ledger out of balance: capacity " + capacity + " but untouched " + untouched + " + free "
                                + free + " + reserved " + reserved + " + resident " + resident + " + doomed " + doomed);
            }
        }

        /** Bytes held by copies of any state. */
        public long used() {
            return reserved + resident + doomed;
        }
    }

    /** Bytes of the medium, rounded down to pages; constant. */
    public long capacityBytes() {
        return capacity;
    }

    /** Bytes that can be reserved now. */
    public synchronized long freeBytes() {
        return free;
    }

    /** Bytes held by copies of any state. */
    public synchronized long usedBytes() {
        return reserved + resident + doomed;
    }

    /** All states at one instant; they add up. */
    public synchronized Snapshot snapshot() {
        return new Snapshot(capacity, untouched, free, reserved, resident, doomed);
    }

    /** Untouched bytes became usable. */
    synchronized void touched(long bytes) {
        untouched = less(untouched, bytes, "untouched");
        free += bytes;
    }

    /** Moves free bytes to reserved, or does nothing and answers false when there are too few. */
    synchronized boolean reserve(long bytes) {
        if (bytes > free) {
            return false;
        }
        free = less(free, bytes, "free");
        reserved += bytes;
        return true;
    }

    /** A reservation was given back. */
    synchronized void aborted(long bytes) {
        reserved = less(reserved, bytes, "reserved");
        free += bytes;
    }

    /** A reservation turned out to have nothing behind it. */
    synchronized void lost(long bytes) {
        reserved = less(reserved, bytes, "reserved");
        untouched += bytes;
    }

    /** A reservation became a findable copy. */
    synchronized void committed(long bytes) {
        reserved = less(reserved, bytes, "reserved");
        resident += bytes;
    }

    /** A copy is no longer findable. */
    synchronized void doomed(long bytes) {
        resident = less(resident, bytes, "resident");
        doomed += bytes;
    }

    /** The bytes of a doomed copy can be reserved again. */
    synchronized void freed(long bytes) {
        doomed = less(doomed, bytes, "doomed");
        free += bytes;
    }

    private static long less(long from, long bytes, String what) {
        if (bytes < 0 || bytes > from) {
            throw new IllegalStateException("cannot move " + bytes + " bytes out of " + from + " " + what);
        }
        return from - bytes;
    }
}
