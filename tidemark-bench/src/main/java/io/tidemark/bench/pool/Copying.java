package io.tidemark.bench.pool;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.DramMedium;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The yardstick: one copy a block between a user's buffer and memory of the same kind as the pool's, nothing else. */
final class Copying implements Side {
    private final List<MemorySegment> places = new ArrayList<>();
    private final UserBuffer user;
    private final boolean in;
    private int next;

    /** Copies into the medium's memory, or out of it. */
    Copying(DramMedium medium, int blockBytes, boolean in) {
        this.in = in;
        this.user = new UserBuffer(blockBytes);
        long blocks = UserBuffer.MEASURE_BYTES / blockBytes;
        for (long i = 0; i < blocks; i++) {
            places.addAll(medium.segments(Media.allocate(medium, blockBytes)));
        }
    }

    @Override
    public String name() {
        return "memcpy";
    }

    @Override
    public double measure() {
        long start = System.nanoTime();
        for (int i = 0; i < places.size(); i++) {
            MemorySegment place = places.get(next++ % places.size());
            MemorySegment mine = user.next();
            if (in) {
                place.copyFrom(mine);
            } else {
                mine.copyFrom(place);
            }
        }
        return UserBuffer.MEASURE_BYTES / (double) (System.nanoTime() - start);
    }
}
