package io.tidemark.core.medium;

/** What an SSD medium keeps of a reservation until it is committed or aborted. Owned by its writer. */
final class PendingBlock {
    final int lengthBytes;
    final Extents extents;
    final Checksums checksums;
    /** The ends of the blocks that had these pages before are on disk with this ticket. */
    final long freedTicket;

    boolean freedOnDisk;
    boolean sealed;
    /** The device has no room behind these pages. */
    boolean unbacked;

    PendingBlock(long copy, int lengthBytes, Extents extents, long freedTicket) {
        this.lengthBytes = lengthBytes;
        this.extents = extents;
        this.freedTicket = freedTicket;
        checksums = new Checksums(copy, lengthBytes);
    }
}
