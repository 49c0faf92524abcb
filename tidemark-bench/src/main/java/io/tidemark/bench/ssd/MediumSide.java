package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.StagingMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * out of it, each verified. One thread a call in flight. Into and out of huge pages, as a server has them, or small ones.
 */
final class MediumSide implements AutoCloseable {
    private static final int KEY_BYTES = 32;
    private static final long STAGED_BYTES = 256L << 20;

    private final SsdMedium ssd;
    private final boolean read;
    private final int blockBytes;
    private final long moved;
    private final long[] copies;
    private final ExecutorService threads = Executors.newFixedThreadPool(SsdBench.DEPTH);
    private long generation = 1;

    /** Fills the medium to {@code spread} bytes with blocks of this size; {@code moved} go in a measurement. */
    MediumSide(SsdMedium ssd, boolean read, int blockBytes, long spread, long moved) throws IOException {
        this.ssd = ssd;
        this.read = read;
        this.blockBytes = blockBytes;
        this.moved = moved;
        copies = new long[(int) (spread / blockBytes)];
        MemorySegment bytes = buffers(Pages.SMALL, blockBytes).getFirst();
        for (int i = 0; i < copies.length; i++) {
            copies[i] = write(i, bytes);
        }
    }

    /** Moves them into and out of buffers in such pages. */
    Side in(Pages pages) {
        List<MemorySegment> buffers = buffers(pages, blockBytes);
        return new Side() {
            @Override
            public String name() {
                return (read ? "read into " : "write from ") + pages.text();
            }

            @Override
            public double measure() throws Exception {
                return MediumSide.this.measure(buffers);
            }
        };
    }

    /** One for each lane, filled, so that its pages are there. Of a range as a server's: a shorter one has no huge page in it. */
    static List<MemorySegment> buffers(Pages pages, int blockBytes) {
        StagingMemory staging = new StagingMemory(
                NativeSys.INSTANCE, Math.max(STAGED_BYTES, (long) SsdBench.DEPTH * blockBytes), pages == Pages.HUGE);
        List<MemorySegment> buffers = new ArrayList<>();
        for (int lane = 0; lane < SsdBench.DEPTH; lane++) {
            StagingMemory.Piece piece = staging.take(blockBytes).orElseThrow();
            buffers.add(piece.segments().getFirst().fill((byte) lane));
        }
        return buffers;
    }

    private double measure(List<MemorySegment> buffers) throws Exception {
        int blocks = (int) (moved / blockBytes);
        AtomicInteger left = new AtomicInteger(blocks);
        List<Future<?>> running = new ArrayList<>();
        long start = System.nanoTime();
        for (int lane = 0; lane < SsdBench.DEPTH; lane++) {
            int mine = lane;
            running.add(threads.submit(() -> move(mine, buffers.get(mine), left)));
        }
        for (Future<?> lane : running) {
            lane.get();
        }
        return (double) blocks * blockBytes / (System.nanoTime() - start);
    }

    /** Lanes share the blocks, so that all calls stay in flight until the end, as those of the other side. */
    private void move(int lane, MemorySegment buffer, AtomicInteger left) {
        int share = copies.length / SsdBench.DEPTH;
        try {
            while (left.getAndDecrement() > 0) {
                int at = lane * share + ThreadLocalRandom.current().nextInt(share);
                if (read) {
                    ssd.copies().pin(copies[at]);
                    ssd.read(copies[at], 0, buffer);
                    ssd.copies().unpin(copies[at]);
                } else {
                    ssd.free(copies[at]);
                    copies[at] = write(at, buffer);
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
