package io.tidemark.core.medium;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageRunAllocatorTest {
    private static PageRunAllocator allocator(int pages) {
        PageRunAllocator allocator = new PageRunAllocator(pages);
        allocator.add(0, pages);
        return allocator;
    }

    private static List<Integer> pagesOf(PageRunAllocator allocator, int first) {
        List<Integer> pages = new ArrayList<>();
        for (int run = first; run != PageRunAllocator.NONE; run = allocator.nextRun(run)) {
            for (int page = run; page < run + allocator.runPages(run); page++) {
                pages.add(page);
            }
        }
        return pages;
    }

    @Test
    void anEmptyRangeIsLegalAndHoldsNothing() {
        PageRunAllocator allocator = allocator(0);
        assertThat(allocator.allocate(1)).isEqualTo(PageRunAllocator.NONE);
        assertThat(allocator.freePages()).isZero();
    }

    @Test
    void zeroPagesAreNoAllocation() {
        assertThat(allocator(4).allocate(0)).isEqualTo(PageRunAllocator.NONE);
    }

    @Test
    void pagesThatWereNotAddedAreNeverHandedOut() {
        PageRunAllocator allocator = new PageRunAllocator(8);
        allocator.add(2, 3);
        assertThat(allocator.allocate(4)).isEqualTo(PageRunAllocator.NONE);
        assertThat(pagesOf(allocator, allocator.allocate(3))).containsExactly(2, 3, 4);
    }

    @Test
    void addedRangesMergeWithFreePagesBesideThem() {
        PageRunAllocator allocator = new PageRunAllocator(8);
        allocator.add(0, 3);
        allocator.add(3, 5);
        int first = allocator.allocate(8);
        assertThat(allocator.nextRun(first)).isEqualTo(PageRunAllocator.NONE);
    }

    @Test
    void isContiguousWhereARunIsLongEnough() {
        PageRunAllocator allocator = allocator(16);
        int a = allocator.allocate(4);
        allocator.allocate(4);
        allocator.free(a);
        int run = allocator.allocate(8);
        assertThat(allocator.nextRun(run)).isEqualTo(PageRunAllocator.NONE);
        assertThat(allocator.runPages(run)).isEqualTo(8);
    }

    @Test
    void chainsRunsWhereNoneIsLongEnough() {
        PageRunAllocator allocator = allocator(8);
        List<Integer> singles = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            singles.add(allocator.allocate(1));
        }
        for (int i = 0; i < 8; i += 2) {
            allocator.free(singles.get(i));
        }
        int first = allocator.allocate(4);
        assertThat(pagesOf(allocator, first)).hasSize(4).doesNotHaveDuplicates();
        assertThat(allocator.freePages()).isZero();
    }

    @Test
    void chainsAcrossRangesThatDoNotTouch() {
        PageRunAllocator allocator = new PageRunAllocator(8);
        allocator.add(0, 3);
        allocator.add(5, 3);
        int first = allocator.allocate(5);
        assertThat(pagesOf(allocator, first)).hasSize(5).doesNotHaveDuplicates().doesNotContain(3, 4);
        assertThat(allocator.free(first)).isEqualTo(5);
        assertThat(allocator.freePages()).isEqualTo(6);
    }

    @Test
    void severalLieSideBySideWhereARunIsLongEnough() {
        PageRunAllocator allocator = allocator(16);
        int[] firsts = allocator.allocateTogether(new int[] {3, 1, 4});
        assertThat(firsts).containsExactly(firsts[0], firsts[0] + 3, firsts[0] + 4);
        assertThat(pagesOf(allocator, firsts[2])).hasSize(4);
        assertThat(allocator.free(firsts[1])).isEqualTo(1);
        assertThat(allocator.freePages()).isEqualTo(9);
        assertThat(allocator.allocateTogether(new int[] {5, 5})).isEmpty();
        assertThat(allocator.freePages()).isEqualTo(9);
    }

    @Test
    void takesAllPagesOrNone() {
        PageRunAllocator allocator = allocator(8);
        allocator.allocate(5);
        assertThat(allocator.allocate(4)).isEqualTo(PageRunAllocator.NONE);
        assertThat(allocator.freePages()).isEqualTo(3);
        assertThat(pagesOf(allocator, allocator.allocate(3))).hasSize(3);
    }

    @Test
    void isReusableAfterExhaustion() {
        PageRunAllocator allocator = allocator(4);
        int all = allocator.allocate(4);
        assertThat(allocator.allocate(1)).isEqualTo(PageRunAllocator.NONE);
        assertThat(allocator.free(all)).isEqualTo(4);
        assertThat(pagesOf(allocator, allocator.allocate(4))).hasSize(4);
    }

    @Test
    void g33_aSecondFreeIsRefused() {
        PageRunAllocator allocator = allocator(4);
        int first = allocator.allocate(2);
        allocator.free(first);
        assertThatThrownBy(() -> allocator.free(first)).isInstanceOf(IllegalStateException.class);
        assertThat(allocator.freePages()).isEqualTo(4);
    }

    @Test
    void aFreeInsideAnAllocationIsRefused() {
        PageRunAllocator allocator = allocator(8);
        int first = allocator.allocate(4);
        assertThatThrownBy(() -> allocator.free(first + 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void pagesOutOfRangeAreRefused() {
        PageRunAllocator allocator = allocator(4);
        assertThatThrownBy(() -> allocator.free(4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> allocator.free(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> allocator.add(3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithAPlainSetOfPages(long seed) {
        Random random = new Random(seed);
        int size = 1 + random.nextInt(700);
        PageRunAllocator allocator = allocator(size);
        BitSet taken = new BitSet();
        Map<Integer, List<Integer>> held = new HashMap<>();
        for (int step = 0; step < 4_000; step++) {
            if (random.nextInt(100) < 10) {
                int[] counts = random.ints(2, 1, 1 + Math.min(size, 20)).toArray();
                allocateTogetherChecked(allocator, counts, size, taken, held);
            } else if (random.nextInt(100) < 50) {
                int count = 1 + random.nextInt(random.nextInt(10) == 0 ? size : Math.min(size, 40));
                allocateChecked(allocator, count, size, taken, held);
            } else if (!held.isEmpty()) {
                int first = List.copyOf(held.keySet()).get(random.nextInt(held.size()));
                List<Integer> pages = requireNonNull(held.remove(first));
                assertThat(allocator.free(first)).isEqualTo(pages.size());
                pages.forEach(taken::clear);
            }
            assertThat(allocator.freePages()).as("seed %d step %d", seed, step).isEqualTo(size - taken.cardinality());
        }
        List.copyOf(held.keySet()).forEach(allocator::free);
        int all = allocator.allocate(size);
        assertThat(allocator.nextRun(all))
                .as("all free pages are one run again, seed %d", seed)
                .isEqualTo(PageRunAllocator.NONE);
    }

    private static void allocateChecked(
            PageRunAllocator allocator, int count, int size, BitSet taken, Map<Integer, List<Integer>> held) {
        int first = allocator.allocate(count);
        if (count > size - taken.cardinality()) {
            assertThat(first).isEqualTo(PageRunAllocator.NONE);
            return;
        }
        hold(pagesOf(allocator, first), count, first, taken, held);
    }

    private static void allocateTogetherChecked(
            PageRunAllocator allocator, int[] counts, int size, BitSet taken, Map<Integer, List<Integer>> held) {
        int[] firsts = allocator.allocateTogether(counts);
        if (counts[0] + counts[1] > size - taken.cardinality()) {
            assertThat(firsts).isEmpty();
            return;
        }
        for (int i = 0; i < counts.length; i++) {
            hold(pagesOf(allocator, firsts[i]), counts[i], firsts[i], taken, held);
        }
    }

    private static void hold(
            List<Integer> pages, int count, int first, BitSet taken, Map<Integer, List<Integer>> held) {
        assertThat(pages).hasSize(count);
        for (int page : pages) {
            assertThat(taken.get(page)).as("page %d is handed out once", page).isFalse();
            taken.set(page);
        }
        held.put(first, pages);
    }
}
