package io.tidemark.core.medium;

/**
 * The room for records in a checkpoint, which can be short before the slab is: small values under long keys. What the
 * records take beyond their share is then held as reserved in the ledger, so that the ledger is as full as the shorter of
 * the two, marks are reached, and evictions make room in both.
 *
 * <p>Thread-safe; its monitor comes before that of the ledger.
 */
final class RecordRoom {
    private final Ledger ledger;
    private final long pageBytes;
    private final long maxBytes;
    private final long bytesPerPage;
    private long recordsBytes;
    private long heldBytes;

    /** Room for {@code maxBytes} of records beside a slab of {@code slabPages} pages. */
    RecordRoom(Ledger ledger, long pageBytes, long maxBytes, int slabPages) {
        this.ledger = ledger;
        this.pageBytes = pageBytes;
        this.maxBytes = maxBytes;
        bytesPerPage = Math.max(1, maxBytes / Math.max(1, slabPages));
    }

    /** Takes room for records; false, and nothing changes, when there is too little. */
    synchronized boolean take(long bytes) {
        if (recordsBytes + bytes > maxBytes) {
            return false;
        }
        recordsBytes += bytes;
        balance();
        return true;
    }

    /** A record is void. */
    synchronized void give(int bytes) {
        recordsBytes -= bytes;
        assert recordsBytes >= 0 : "more records given back than taken";
        balance();
    }

    private void balance() {
        long share = recordsBytes / bytesPerPage * pageBytes;
        long wanted = Math.max(0, share - (ledger.usedBytes() - heldBytes));
        if (wanted < heldBytes) {
            ledger.aborted(heldBytes - wanted);
            heldBytes = wanted;
        } else {
            long more = Math.min(wanted - heldBytes, ledger.freeBytes() / pageBytes * pageBytes);
            heldBytes += more > 0 && ledger.reserve(more) ? more : 0;
        }
    }
}
