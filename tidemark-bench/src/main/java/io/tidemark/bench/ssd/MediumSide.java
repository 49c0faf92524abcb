package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.SsdMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whole blocks into the SSD medium, each with checksums and a record in the journal, over the oldest ones; or random ones
 * out of it, each verified. One thread a call in flight.
 */
final class MediumSide implements Side, AutoCloseable {
    private static final int KEY_BYTES = 32;

    private final SsdMedium ssd;
    private final boolean read;
    private final int blockBytes;
    private final long moved;
    private final long[] copies;
    private final ExecutorService threads = Executors.newFixedThreadPool(SsdBench.DEPTH);
    private final List<MemorySegment> buffers = new ArrayList<>();
    private long generation = 1;

    /** Fills the medium to {@code FILE_BYTES} with blocks of this size. */
    MediumSide(SsdMedium ssd, boolean read, int blockBytes, long moved) throws IOException {
        this.ssd = ssd;
        this.read = read;
        this.blockBytes = blockBytes;
        this.moved = moved;
        copies = new long[(int) (SsdBench.FILE_BYTES / blockBytes)];
        for (int i = 0; i < SsdBench.DEPTH; i++) {
            buffers.add(Arena.ofAuto().allocate(blockBytes, 4096).fill((byte) i));
        }
        for (int i = 0; i < copies.length; i++) {
            copies[i] = write(i, buffers.getFirst());
        }
    }

    @Override
    public String name() {
        return read ? "read" : "write";
    }

    @Override
    public double measure() throws Exception {
        int blocks = (int) (moved / blockBytes);
        AtomicInteger left = new AtomicInteger(blocks);
        List<Future<?>> running = new ArrayList<>();
        long start = System.nanoTime();
        for (int lane = 0; lane < SsdBench.DEPTH; lane++) {
            int mine = lane;
            running.add(threads.submit(() -> move(mine, left)));
        }
        for (Future<?> lane : running) {
            lane.get();
        }
        return (double) blocks * blockBytes / (System.nanoTime() - start);
    }

    /** Lanes share the blocks, so that all calls stay in flight until the end, as those of the other side. */
    private void move(int lane, AtomicInteger left) {
        int share = copies.length / SsdBench.DEPTH;
        try {
            while (left.getAndDecrement() > 0) {
                int at = lane * share + ThreadLocalRandom.current().nextInt(share);
                if (read) {
                    ssd.copies().pin(copies[at]);
                    ssd.read(copies[at], 0, buffers.get(lane));
                    ssd.copies().unpin(copies[at]);
                } else {
                    ssd.free(copies[at]);
                    copies[at] = write(at, buffers.get(lane));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long write(int number, MemorySegment bytes) throws IOException {
        if (!(ssd.allocate(blockBytes) instanceof Allocation.Allocated(long copy))) {
            throw new IOException("no space on " + ssd.name());
        }
        ssd.write(copy, 0, bytes);
        ssd.commit(copy, ByteBuffer.allocate(KEY_BYTES).putInt(number).array(), generation++);
        return copy;
    }

    @Override
    public void close() {
        threads.shutdown();
        for (long copy : copies) {
            ssd.free(copy);
        }
    }
}
