package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Threads that take and give pages at once: no page is ever held by two, and walking an allocation takes no lock. */
class PageRunAllocatorStressTest {
    private static final int PAGES = 512;
    private static final int THREADS = 4;
    private static final int STEPS = 20_000;

    private final PageRunAllocator allocator = new PageRunAllocator(PAGES);
    private final AtomicIntegerArray holders = new AtomicIntegerArray(PAGES);

    @Test
    void noPageHasTwoHolders() throws Exception {
        allocator.add(0, PAGES);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int seed = 1; seed <= THREADS; seed++) {
                Random random = new Random(seed);
                tasks.add(() -> takeAndGive(random));
            }
            for (Future<Boolean> done : threads.invokeAll(tasks)) {
                done.get();
            }
        }
        assertThat(allocator.freePages()).isEqualTo(PAGES);
        int all = allocator.allocate(PAGES);
        assertThat(allocator.nextRun(all)).as("one run again").isEqualTo(PageRunAllocator.NONE);
    }

    private boolean takeAndGive(Random random) {
        List<Integer> held = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (random.nextBoolean()) {
                int first = allocator.allocate(1 + random.nextInt(random.nextInt(4) == 0 ? 60 : 3));
                if (first != PageRunAllocator.NONE) {
                    held.add(first);
                    hold(first, 1);
                }
            } else if (!held.isEmpty()) {
                Collections.swap(held, random.nextInt(held.size()), held.size() - 1);
                giveBack(held.removeLast());
            }
        }
        held.forEach(this::giveBack);
        return true;
    }

    private void giveBack(int first) {
        hold(first, -1);
        allocator.free(first);
    }

    private void hold(int first, int more) {
        for (int run = first; run != PageRunAllocator.NONE; run = allocator.nextRun(run)) {
            for (int page = run; page < run + allocator.runPages(run); page++) {
                assertThat(holders.addAndGet(page, more)).isEqualTo(more == 1 ? 1 : 0);
            }
        }
    }
}
