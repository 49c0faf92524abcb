package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that use one medium as the pool does: a lock an entry, every state change under it, bytes moved and space
 * freed outside. Between rounds everything is compared with what the entries say.
 */
final class MediumStress {
    private final Medium medium;
    private final long seed;
    private final int threads;
    private final Entry[] entries;

    MediumStress(Medium medium, long seed, int threads, int entries) {
        this.medium = medium;
        this.seed = seed;
        this.threads = threads;
        this.entries = new Entry[entries];
        Arrays.setAll(this.entries, Entry::new);
    }

    private static final class Entry {
        final int id;
        long copy;
        boolean moving;

        Entry(int id) {
            this.id = id;
        }
    }

    void run(int rounds, int steps) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < rounds; round++) {
                List<Callable<Void>> workers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    Random random = new Random(seed * 1_000_003 + round * 1009L + i);
                    workers.add(() -> {
                        for (int step = 0; step < steps; step++) {
                            step(random);
                        }
                        return null;
                    });
                }
                for (Future<Void> done : pool.invokeAll(workers)) {
                    done.get();
                }
                checkAll("seed " + seed + " round " + round);
            }
        }
    }

    private void step(Random random) throws IOException {
        Entry entry = entries[random.nextInt(entries.length)];
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> put(entry, random);
            case 3, 4, 5, 6 -> read(entry);
            case 7 -> discard(entry);
            case 8 -> move(entry, random);
            default -> evict(random);
        }
    }

    private void put(Entry entry, Random random) throws IOException {
        long bytes = random.nextInt((int) (3 * medium.pageBytes()));
        if (!(medium.allocate(bytes) instanceof Allocation.Allocated(long copy))) {
            return;
        }
        medium.copies().describe(copy, entry.id, 0, false);
        fill(copy, bytes);
        if (random.nextInt(8) == 0) {
            assertThat(medium.abort(copy)).isTrue();
            return;
        }
        long old = 0;
        synchronized (entry) {
            if (entry.copy != 0 && medium.copies().doom(entry.copy)) {
                old = entry.copy;
            }
            entry.copy = copy;
            entry.moving = false;
            assertThat(medium.commit(copy, new byte[] {(byte) entry.id}, copy)).isTrue();
        }
        if (old != 0) {
            medium.free(old);
        }
    }

    private void read(Entry entry) throws IOException {
        long copy;
        synchronized (entry) {
            copy = entry.copy;
            if (copy == 0 || !medium.copies().pin(copy)) {
                return;
            }
        }
        assertFilled(copy);
        boolean last;
        synchronized (entry) {
            last = medium.copies().unpin(copy);
            medium.copies().order().touch(copy);
        }
        if (last) {
            medium.free(copy);
        }
    }

    private void discard(Entry entry) {
        long copy;
        synchronized (entry) {
            copy = entry.copy;
            if (copy == 0 || !medium.copies().doom(copy)) {
                return;
            }
            entry.copy = 0;
            entry.moving = false;
        }
        medium.free(copy);
    }

    private void move(Entry entry, Random random) {
        long ended = 0;
        synchronized (entry) {
            if (entry.copy == 0) {
                return;
            }
            if (!entry.moving) {
                entry.moving = medium.copies().beginMove(entry.copy);
                return;
            }
            boolean success = random.nextBoolean();
            assertThat(
                            success
                                    ? medium.copies().doom(entry.copy)
                                    : medium.copies().endMove(entry.copy))
                    .isTrue();
            entry.moving = false;
            if (success) {
                ended = entry.copy;
                entry.copy = 0;
            }
        }
        if (ended != 0) {
            medium.free(ended);
        }
    }

    private void evict(Random random) {
        OfferBudget budget = new OfferBudget(medium.pageBytes() * random.nextInt(6), 4);
        for (Offer<Long> offer : medium.copies().order().offers(budget, copy -> true)) {
            int owner = medium.copies().owner(offer.handle());
            if (owner < 0) {
                continue;
            }
            Entry entry = entries[owner];
            synchronized (entry) {
                if (entry.copy != offer.handle() || !medium.copies().movable(entry.copy)) {
                    continue;
                }
                assertThat(medium.copies().doom(entry.copy)).isTrue();
                entry.copy = 0;
            }
            assertThat(medium.free(offer.handle()).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
        }
    }

    private void checkAll(String where) {
        CopyTable copies = medium.copies();
        Set<Long> evictable = new HashSet<>();
        long resident = 0;
        int count = 0;
        for (Entry entry : entries) {
            if (entry.copy == 0) {
                continue;
            }
            count++;
            resident += copies.allocatedBytes(entry.copy);
            assertThat(copies.pins(entry.copy)).as(where).isZero();
            assertThat(copies.state(entry.copy))
                    .as(where)
                    .isEqualTo(entry.moving ? CopyState.MOVING : CopyState.COMMITTED);
            if (!entry.moving) {
                evictable.add(entry.copy);
            }
        }
        Ledger.Snapshot ledger = medium.ledger().snapshot();
        assertThat(ledger)
                .as(where)
                .isEqualTo(new Ledger.Snapshot(ledger.capacity(), 0, ledger.capacity() - resident, 0, resident, 0));
        assertThat(copies.count()).as(where).isEqualTo(count);
        assertThat(copies.order().size()).as(where).isEqualTo(evictable.size());
        assertThat(copies.order().offers(MediumContractTest.PLENTY, copy -> true))
                .as(where)
                .extracting(Offer::handle)
                .containsExactlyInAnyOrderElementsOf(evictable);
    }

    private void fill(long copy, long bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocate(bytes);
            content.fill((byte) copy);
            if (bytes >= 2 * Long.BYTES) {
                content.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, copy);
                content.set(ValueLayout.JAVA_LONG_UNALIGNED, bytes - Long.BYTES, copy);
            }
            medium.write(copy, 0, content);
        }
    }

    private void assertFilled(long copy) throws IOException {
        long bytes = medium.copies().lengthBytes(copy);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocate(bytes);
            medium.read(copy, 0, content);
            if (bytes >= 2 * Long.BYTES) {
                assertThat(content.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(copy);
                assertThat(content.get(ValueLayout.JAVA_LONG_UNALIGNED, bytes - Long.BYTES))
                        .isEqualTo(copy);
            }
        }
    }
}
