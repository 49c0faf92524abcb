package io.tidemark.core.medium;

/**
 * How a DRAM medium is set up.
 *
 * @param name of the backend, for example {@code dram0}
 * @param capacityBytes rounded down to pages
 * @param pageBytes unit of allocation: a power of two, at least {@value #PAGE_BYTES_MIN}
 * @param maxBlockBytes largest block taken; blocks above 2 GiB are not supported
 * @param hugePages ask the kernel for huge pages
 */
public record DramOptions(String name, long capacityBytes, int pageBytes, long maxBlockBytes, boolean hugePages) {
    /** Smallest page: the kernel's. */
    public static final int PAGE_BYTES_MIN = 4096;
    /** Largest block unless told otherwise: 64 MiB. */
    public static final long MAX_BLOCK_BYTES_DEFAULT = 64L << 20;

    public DramOptions {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a backend needs a name");
        }
        if (pageBytes < PAGE_BYTES_MIN || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException(
                    name + ": page of " + pageBytes + " bytes; expected a power of two of at least " + PAGE_BYTES_MIN);
        }
        if (capacityBytes < pageBytes || capacityBytes / pageBytes > PageRunAllocator.PAGES_MAX) {
            throw new IllegalArgumentException(name + ": capacity of " + capacityBytes + " bytes; expected 1 to "
                    + PageRunAllocator.PAGES_MAX + " pages of " + pageBytes);
        }
        if (maxBlockBytes < 0 || maxBlockBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    name + ": blocks to " + maxBlockBytes + " bytes; expected 0 to " + Integer.MAX_VALUE);
        }
    }

    /** Pages of 4 KiB, blocks to 64 MiB, huge pages. */
    public static DramOptions of(String name, long capacityBytes) {
        return new DramOptions(name, capacityBytes, PAGE_BYTES_MIN, MAX_BLOCK_BYTES_DEFAULT, true);
    }

    /** The same with another unit of allocation. */
    public DramOptions withPageBytes(int bytes) {
        return new DramOptions(name, capacityBytes, bytes, maxBlockBytes, hugePages);
    }

    /** The same with another bound on blocks. */
    public DramOptions withMaxBlockBytes(long bytes) {
        return new DramOptions(name, capacityBytes, pageBytes, bytes, hugePages);
    }

    int pages() {
        return (int) (capacityBytes / pageBytes);
    }
}
