package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Offers of a table whose cold end may not go: neither looked at again and again, nor an end of the search. */
class OfferWalkTest {
    private static final int COPIES = 200_000;
    private static final int HELD = 150_000;
    private static final int BATCH = 64;

    private final Ledger ledger = new Ledger((long) COPIES * 4096);
    private final CopyTable copies = new CopyTable(ledger, 4096, COPIES);
    private final AtomicInteger looks = new AtomicInteger();
    private final List<Long> handles = new ArrayList<>();

    private void fill(String policy) {
        copies.trackOrder(policy);
        ledger.touched((long) COPIES * 4096);
        for (int number = 0; number < COPIES; number++) {
            assertThat(ledger.reserve(4096)).isTrue();
            long copy = copies.reserve(1, number);
            copies.commit(copy);
            handles.add(copy);
        }
    }

    private List<Long> offers() {
        return copies
                .order()
                .offers(new OfferBudget(Long.MAX_VALUE, BATCH), copy -> {
                    looks.incrementAndGet();
                    return (int) copy >= HELD;
                })
                .stream()
                .map(Offer::handle)
                .toList();
    }

    @Test
    void aHeldColdEndIsPassedOnceAndNotByEachCall() {
        fill("lru+np");
        int found = 0;
        for (int call = 0; call < 12; call++) {
            List<Long> offered = offers();
            found += offered.size();
            offered.forEach(copies::retire);
        }
        assertThat(found)
                .as("all calls but those that passed the held ones find a batch")
                .isGreaterThan(8 * BATCH);
        assertThat(looks.get()).as("copies looked at").isLessThan(HELD + 12 * 2_048);
    }

    @Test
    void whatIsFreeAtTheColdEndGoesFirst() {
        fill("lru+np");
        List<Long> offered = copies.order().offers(new OfferBudget(Long.MAX_VALUE, BATCH), copy -> true).stream()
                .map(Offer::handle)
                .toList();
        assertThat(offered).isEqualTo(handles.subList(0, BATCH));
        assertThat(copies.order()
                        .offers(new OfferBudget(4096, 1), copy -> true)
                        .getFirst()
                        .handle())
                .isEqualTo(handles.getFirst());
    }

    @Test
    void ordersThatCannotGoOnOfferNobodyTwice() {
        fill("lfu");
        List<Long> offered = copies.order().offers(new OfferBudget(Long.MAX_VALUE, 3_000), copy -> true).stream()
                .map(Offer::handle)
                .toList();
        assertThat(offered).hasSize(3_000).doesNotHaveDuplicates();
    }
}
