package io.tidemark.core.medium;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/** Fills a medium until it says that there is no space, and makes room again. */
final class MediumFiller {
    private static final long[] SIZES = {1, 4096, 7 << 10, 64 << 10, 200_000, 1 << 20};

    private final Medium medium;
    private final Random random;
    private final List<Long> copies = new ArrayList<>();

    MediumFiller(Medium medium, long seed) {
        this.medium = medium;
        random = new Random(seed);
    }

    /** Puts until the first refusal; answers the share of the capacity that is resident then. */
    double fillWith(LongSupplier size) throws IOException {
        while (medium.allocate(size.getAsLong()) instanceof Allocation.Allocated(long copy)) {
            medium.commit(copy, new byte[] {1}, 1);
            copies.add(copy);
        }
        Ledger.Snapshot ledger = medium.ledger().snapshot();
        return (double) ledger.resident() / ledger.capacity();
    }

    long mixedSize() {
        return SIZES[random.nextInt(SIZES.length)];
    }

    void dropHalf() {
        Collections.shuffle(copies, random);
        List<Long> half = copies.subList(0, copies.size() / 2);
        half.forEach(medium::free);
        half.clear();
    }

    void clear() {
        copies.forEach(medium::free);
        copies.clear();
    }
}
