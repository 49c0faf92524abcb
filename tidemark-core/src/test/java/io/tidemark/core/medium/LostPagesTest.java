package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LostPagesTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 6 << 10;

    private final AtomicLong clock = new AtomicLong();
    private final PageRunAllocator allocator = new PageRunAllocator(PAGES);
    private final Ledger ledger = new Ledger((long) PAGES * PAGE);
    private final LostPages lost = new LostPages("ssd0", allocator, ledger, clock::get);

    private void lose(int pages) {
        assertThat(ledger.reserve((long) pages * PAGE)).isTrue();
        int first = allocator.allocate(pages);
        lost.add(first, Extents.of(allocator, first, PAGE), (long) pages * PAGE);
    }

    private void open() {
        allocator.add(0, PAGES);
        ledger.touched((long) PAGES * PAGE);
    }

    @Test
    void oneTurnWritesAFewMiBOnlyAndTheNextOneGoesOnFromThere() throws IOException {
        open();
        lose(5 << 10); // 20 MiB
        lose(256);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        List<Long> offsets = new ArrayList<>();
        List<Long> turns = new ArrayList<>();
        AtomicLong written = new AtomicLong();
        boolean more = true;
        while (more) {
            long before = written.get();
            more = lost.tryAgain((extents, offset, bytes) -> {
                offsets.add(offset);
                written.addAndGet(bytes);
            });
            turns.add(written.get() - before);
        }
        assertThat(turns).hasSize(3).allMatch(bytes -> bytes <= LostPages.TURN_BYTES);
        assertThat(offsets).containsExactly(0L, LostPages.TURN_BYTES, 2 * LostPages.TURN_BYTES, 0L);
        assertThat(lost.bytes()).isZero();
        assertThat(ledger.freeBytes()).isEqualTo((long) PAGES * PAGE);
        assertThat(allocator.allocate(PAGES)).isNotEqualTo(PageRunAllocator.NONE);
    }

    @Test
    void whatIsStillFullIsLeftAloneForASecondWhicheverWayItIsFull() throws IOException {
        open();
        lose(1);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        for (int errno : new int[] {Errno.ENOSPC, Errno.EDQUOT}) {
            AtomicLong tries = new AtomicLong();
            LostPages.Trial full = (extents, offset, bytes) -> {
                tries.incrementAndGet();
                throw new SysException("pwrite", errno, "slab");
            };
            assertThat(lost.tryAgain(full)).isFalse();
            assertThat(lost.tryAgain(full)).isFalse();
            assertThat(tries).hasValue(1);
            assertThat(lost.bytes()).isEqualTo(PAGE);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }
    }
}
