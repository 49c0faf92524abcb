package io.tidemark.core.medium;

import java.nio.file.Path;

/**
 * How an SSD medium is set up.
 *
 * @param name of the backend, for example {@code ssd0}
 * @param directory where it keeps its files; it is made when missing and belongs to one process at a time
 * @param capacityBytes what the directory may occupy, all files together
 * @param pageBytes unit of allocation: a power of two, {@value #PAGE_BYTES_MIN} to {@value #PAGE_BYTES_MAX}
 * @param maxBlockBytes largest block taken
 * @param fresh discard what an earlier process left, whoever that was
 * @param owner who uses the directory
 */
public record SsdOptions(
        String name,
        Path directory,
        long capacityBytes,
        int pageBytes,
        long maxBlockBytes,
        boolean fresh,
        SsdOwner owner) {
    /** Smallest page: what direct I/O asks for. */
    public static final int PAGE_BYTES_MIN = 4096;
    /** Largest page: what one checksum covers. */
    public static final int PAGE_BYTES_MAX = 65_536;
    /** Smallest capacity: journal and checkpoints have a smallest size too. */
    public static final long CAPACITY_BYTES_MIN = 4 << 20;

    private static final long MEAN_BLOCK_BYTES = 64 << 10;
    private static final int KEY_BYTES = 32;

    public SsdOptions {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a backend needs a name");
        }
        if (pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException(name + ": page of " + pageBytes + " bytes; expected a power of two of "
                    + PAGE_BYTES_MIN + " to " + PAGE_BYTES_MAX);
        }
        if (capacityBytes < CAPACITY_BYTES_MIN || capacityBytes / pageBytes > PageRunAllocator.PAGES_MAX) {
            throw new IllegalArgumentException(name + ": capacity of " + capacityBytes + " bytes; expected "
                    + CAPACITY_BYTES_MIN + " to " + PageRunAllocator.PAGES_MAX + " pages of " + pageBytes);
        }
        if (maxBlockBytes < 0 || maxBlockBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    name + ": blocks to " + maxBlockBytes + " bytes; expected 0 to " + Integer.MAX_VALUE);
        }
    }

    /** Of an owner who takes the directory as it is. */
    public SsdOptions(
            String name, Path directory, long capacityBytes, int pageBytes, long maxBlockBytes, boolean fresh) {
        this(name, directory, capacityBytes, pageBytes, maxBlockBytes, fresh, SsdOwner.OF_ANY);
    }

    /** Pages of 4 KiB, blocks to 64 MiB, nothing discarded. */
    public static SsdOptions of(String name, Path directory, long capacityBytes) {
        return new SsdOptions(
                name, directory, capacityBytes, PAGE_BYTES_MIN, DramOptions.MAX_BLOCK_BYTES_DEFAULT, false);
    }

    /** The same, discarding what an earlier process left. */
    public SsdOptions withFresh() {
        return new SsdOptions(name, directory, capacityBytes, pageBytes, maxBlockBytes, true, owner);
    }

    /** The same, used by this owner. */
    public SsdOptions usedBy(SsdOwner newOwner) {
        return new SsdOptions(name, directory, capacityBytes, pageBytes, maxBlockBytes, fresh, newOwner);
    }

    /**
     * Native memory that a start takes until every block has its place, where blocks have 64 KiB or more and keys 32 bytes:
     * for the records of all of them, and of two journals. A directory full of smaller blocks takes more, up to 1.6 % of its
     * capacity for blocks of 4 KiB.
     */
    public static long startBytes(long capacityBytes, int pageBytes) {
        SsdLayout layout = SsdLayout.of(capacityBytes, pageBytes);
        long records = capacityBytes / MEAN_BLOCK_BYTES * BlockRecord.bytes(KEY_BYTES, 1, 1);
        return records + 2 * layout.journalBytes();
    }

    SsdLayout layout() {
        return SsdLayout.of(capacityBytes, pageBytes);
    }
}
