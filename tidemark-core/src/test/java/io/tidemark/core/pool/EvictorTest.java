package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.VictimSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The evictor over files by name, as the sweeper of a volume uses it. */
class EvictorTest implements EvictionSpace, VictimSource<String>, Reclaimable<String> {
    private final ManualClocks clocks = new ManualClocks();
    /** Files from the coldest on. */
    private final Map<String, Long> files = new LinkedHashMap<>();

    private final Set<String> stuck = new HashSet<>();
    private final List<String> tried = new ArrayList<>();
    private long leaving = 0;
    private long wanted = 0;
    private final Evictor<String> evictor = new Evictor<>(
            new Marks(0.9, 0.5), this, this, file -> new Claim.Free<>(List.of(file)), this, 4, () -> {}, clocks);

    private void files(int count, long bytes) {
        for (int number = 0; number < count; number++) {
            files.put("f" + number, bytes);
        }
    }

    @Override
    public long capacityBytes() {
        return 100;
    }

    @Override
    public long usedBytes() {
        return files.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public long leavingBytes() {
        return leaving;
    }

    @Override
    public long wantedBytes() {
        return wanted;
    }

    @Override
    public List<Offer<String>> offers(OfferBudget budget, Predicate<String> leftOut) {
        List<Offer<String>> offers = new ArrayList<>();
        files.forEach((name, bytes) -> {
            if (offers.size() < budget.copies() && !leftOut.test(name)) {
                offers.add(new Offer<>(name, bytes));
            }
        });
        return offers;
    }

    @Override
    public Freed free(String file) {
        tried.add(file);
        if (stuck.contains(file)) {
            return Freed.FAILED;
        }
        Long bytes = files.remove(file);
        return bytes == null ? Freed.GONE : new Freed(Outcome.FREED, bytes);
    }

    @Test
    void starts_at_the_high_mark_and_stops_at_the_low_one_over_several_batches() {
        files(89, 1);
        assertThat(evictor.pass()).isEqualTo(Evictor.Pass.IDLE);
        files.put("g", 1L);
        assertThat(evictor.pass()).isEqualTo(Evictor.Pass.COVERED);
        assertThat(usedBytes()).isEqualTo(50);
        assertThat(tried).hasSize(40).startsWith("f0", "f1").endsWith("f39");
        files.put("h", 1L);
        assertThat(evictor.pass()).isEqualTo(Evictor.Pass.IDLE);
    }

    @Test
    void g71_frees_what_is_needed_and_less_than_its_largest_victim_more() {
        files(13, 7);
        evictor.pass();
        assertThat(usedBytes()).isEqualTo(49);
    }

    @Test
    void what_is_leaving_already_counts() {
        files(95, 1);
        leaving = 40;
        evictor.pass();
        assertThat(usedBytes()).isEqualTo(90);
    }

    @Test
    void space_that_is_wanted_is_made_below_the_marks_too() {
        files(80, 1);
        wanted = 30;
        assertThat(evictor.pass()).isEqualTo(Evictor.Pass.COVERED);
        assertThat(usedBytes()).isEqualTo(70);
    }

    @Test
    void g67_what_cannot_go_is_parked_and_stops_nobody_behind_it() {
        files(95, 1);
        stuck.addAll(List.of("f0", "f1", "f2"));
        assertThat(evictor.pass()).isEqualTo(Evictor.Pass.COVERED);
        assertThat(usedBytes()).isEqualTo(50);
        assertThat(files).containsKeys("f0", "f1", "f2");
        files(95, 1);
        long before = tried.stream().filter(stuck::contains).count();
        evictor.pass();
        assertThat(tried.stream().filter(stuck::contains).count()).isEqualTo(before);
        clocks.advanceMillis(1_000);
        files.clear();
        files(95, 1);
        evictor.pass();
        assertThat(tried.stream().filter(stuck::contains).count()).isGreaterThan(before);
    }

    @Test
    void a_pass_without_offers_and_one_that_gets_nowhere_say_so() {
        files(95, 1);
        stuck.addAll(files.keySet());
        assertThat(evictor.pass()).isEqualTo(Evictor.Pass.STALLED);
        Evictor<String> orderless = new Evictor<>(
                new Marks(0.9, 0.5),
                this,
                (none, parked) -> List.of(),
                file -> new Claim.Gone<>(),
                this,
                4,
                () -> {},
                clocks);
        assertThat(orderless.pass()).isEqualTo(Evictor.Pass.NO_CANDIDATE);
        assertThat(usedBytes()).isEqualTo(95);
    }
}
