package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What reads of the medium would be if nobody looked at them: as many threads make the same calls on a file beside it, and
 * nothing is summed up, nor asked where it is.
 */
final class BareReads implements Side, AutoCloseable {
    private final int blockBytes;
    private final long moved;
    private final int fd;
    private final List<MemorySegment> buffers;
    private final ExecutorService threads = Executors.newFixedThreadPool(SsdBench.DEPTH);

    BareReads(Path file, int blockBytes, long moved, Pages pages) throws SysException {
        this.blockBytes = blockBytes;
        this.moved = moved;
        buffers = MediumSide.buffers(pages, blockBytes);
        fd = NativeSys.INSTANCE.openat(Sys.AT_FDCWD, file.toString(), Sys.O_RDONLY | Sys.O_DIRECT, 0);
    }

    @Override
    public String name() {
        return "the same calls, not verified";
    }

    @Override
    public double measure() throws Exception {
        int blocks = (int) (moved / blockBytes);
        AtomicInteger left = new AtomicInteger(blocks);
        List<Future<?>> running = new ArrayList<>();
        long start = System.nanoTime();
        for (MemorySegment buffer : buffers) {
            running.add(threads.submit(() -> {
                read(buffer, left);
                return null;
            }));
        }
        for (Future<?> lane : running) {
            lane.get();
        }
        return (double) blocks * blockBytes / (System.nanoTime() - start);
    }

    private void read(MemorySegment buffer, AtomicInteger left) throws IOException {
        int places = (int) (SsdBench.FILE_BYTES / blockBytes);
        while (left.getAndDecrement() > 0) {
            long at = (long) ThreadLocalRandom.current().nextInt(places) * blockBytes;
            if (NativeSys.INSTANCE.pread(fd, buffer, at) != blockBytes) {
                throw new IOException("a read at " + at + " fell short");
            }
        }
    }

    @Override
    public void close() throws SysException {
        threads.shutdown();
        NativeSys.INSTANCE.close(fd);
    }
}
