package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;

/** Touches an arena from front to back on a thread of its own, and tells of every chunk that is done. */
final class ArenaToucher {
    /** Bytes touched at a time, or one page where pages are larger. */
    static final long CHUNK_BYTES = 4L << 20;

    private static final System.Logger LOG = System.getLogger(ArenaToucher.class.getName());
    private static final long KERNEL_PAGE_BYTES = 4096;

    private final Sys sys;
    private final MemorySegment arena;
    private final Progress progress;
    private final long chunkBytes;
    private final Thread thread;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean stopped;

    ArenaToucher(Sys sys, MemorySegment arena, DramOptions options, Progress progress) {
        this.sys = sys;
        this.arena = arena;
        this.progress = progress;
        chunkBytes = Math.max(CHUNK_BYTES, options.pageBytes());
        thread = Thread.ofPlatform()
                .daemon()
                .name("tidemark-touch-" + options.name())
                .unstarted(this::run);
    }

    /** Hears of each chunk that has become usable. */
    interface Progress {
        void touched(long offset, long bytes);
    }

    /** Touches the first chunk, so that there is something to serve from. */
    void touchFirst() {
        touch(0);
    }

    /** Touches the rest in the background. */
    void start() {
        thread.start();
    }

    void stop() {
        stopped = true;
    }

    /** Is open once touching has ended. */
    CountDownLatch done() {
        return done;
    }

    /** Huge pages are a wish: a kernel without them serves as well. */
    static void adviseHugePages(Sys sys, MemorySegment arena) {
        try {
            sys.madvise(arena, Sys.MADV_HUGEPAGE);
        } catch (SysException e) {
            LOG.log(System.Logger.Level.WARNING, "no huge pages: {0}", e.getMessage());
        }
    }

    private void run() {
        for (long offset = chunkBytes; offset < arena.byteSize() && !stopped; offset += chunkBytes) {
            touch(offset);
        }
        done.countDown();
    }

    private void touch(long offset) {
        long bytes = Math.min(chunkBytes, arena.byteSize() - offset);
        MemorySegment chunk = arena.asSlice(offset, bytes);
        try {
            sys.madvise(chunk, Sys.MADV_POPULATE_WRITE);
        } catch (SysException e) {
            touchByHand(chunk);
        }
        progress.touched(offset, bytes);
    }

    /** For kernels that cannot populate on request. */
    private static void touchByHand(MemorySegment chunk) {
        for (long at = 0; at < chunk.byteSize(); at += KERNEL_PAGE_BYTES) {
            chunk.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
    }
}
