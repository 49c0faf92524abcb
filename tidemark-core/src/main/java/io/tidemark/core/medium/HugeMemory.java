package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Anonymous memory, in huge pages where the kernel has some to give. Direct I/O hands a device each of them as one address;
 * of small pages, each 4 KiB are one.
 */
public final class HugeMemory {
    /** Bytes of a huge page. */
    public static final long PAGE_BYTES = 2 << 20;

    private static final System.Logger LOG = System.getLogger(HugeMemory.class.getName());

    private HugeMemory() {}

    /**
     * Maps so many bytes from the start of a huge page on. They take no memory before they are touched, and go with the arena.
     *
     * @param huge whether huge pages are asked for
     */
    @SuppressWarnings("restricted") // the mapping is as long as was asked for, and goes once
    public static MemorySegment map(Sys sys, long bytes, Arena arena, boolean huge) throws SysException {
        MemorySegment mapping = sys.mmap(
                bytes + PAGE_BYTES,
                Sys.PROT_READ | Sys.PROT_WRITE,
                Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS | Sys.MAP_NORESERVE,
                -1,
                0);
        long skip = Math.floorMod(-mapping.address(), PAGE_BYTES);
        MemorySegment memory = mapping.asSlice(skip, bytes);
        try {
            if (huge) {
                sys.madvise(memory, Sys.MADV_HUGEPAGE);
            }
        } catch (SysException e) {
            LOG.log(System.Logger.Level.DEBUG, "small pages it is: {0}", e.getMessage());
        }
        return memory.reinterpret(bytes, arena, _ -> unmap(sys, mapping));
    }

    private static void unmap(Sys sys, MemorySegment mapping) {
        try {
            sys.munmap(mapping);
        } catch (SysException e) {
            throw new IllegalStateException(e);
        }
    }
}
