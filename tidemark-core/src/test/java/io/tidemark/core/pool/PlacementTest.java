package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where a tier of several members puts a block, and what clear and look-ups leave of it. */
class PlacementTest {
    private static PoolHarness two(int firstPages, int firstWeight, int secondPages, int secondWeight, Marks marks) {
        TierConfig tier = TierConfig.of(
                "dram",
                marks,
                new TierMember(PoolHarness.dram("dram0", firstPages), firstWeight),
                new TierMember(PoolHarness.dram("dram1", secondPages), secondWeight));
        return new PoolHarness(PoolConfig.of(tier), KeyHash.seeded(1));
    }

    private static List<List<String>> places(PoolHarness pool, int names) {
        IntStream.range(0, names).forEach(pool::putPage);
        return IntStream.range(0, names).mapToObj(pool::where).toList();
    }

    @Test
    void members_get_blocks_by_weight_and_the_same_ones_in_every_process() {
        Marks marks = new Marks(1, 0.99);
        try (PoolHarness one = two(400, 3, 400, 1, marks);
                PoolHarness other = two(400, 3, 400, 1, marks)) {
            List<List<String>> places = places(one, 400);
            assertThat(places(other, 400)).isEqualTo(places);
            assertThat(places.stream().filter(List.of("dram0")::equals).count()).isBetween(260L, 340L);
        }
    }

    @Test
    void g78_processes_with_other_heaps_seeds_languages_charsets_and_zones_agree_on_the_place_of_each_key()
            throws Exception {
        String usual = places("1", "-Xmx64m");
        String unusual = places(
                "2",
                "-Xmx200m",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Dfile.encoding=COMPAT",
                "-Dsun.jnu.encoding=ISO-8859-9",
                "-Duser.timezone=Pacific/Chatham");
        assertThat(unusual).isEqualTo(usual);
        assertThat(usual).matches("sum \\d+ of \\{dram0=[45]\\d{3}, dram1=3\\d{3}, dram2=1\\d{3}}\\R");
    }

    /** What {@link PlacesMain} says in a process of its own. */
    private static String places(String seed, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PlacesMain.class.getName(), seed));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    private static List<Integer> on(PoolHarness pool, String backend, int from, int to) {
        return IntStream.range(from, to)
                .filter(name -> pool.where(name).equals(List.of(backend)))
                .boxed()
                .toList();
    }

    @Test
    void a_member_that_began_empty_takes_more_of_what_comes_until_it_has_caught_up_and_the_others_go_on() {
        List<TierMember> members = IntStream.range(0, 4)
                .mapToObj(number -> new TierMember(PoolHarness.dram("dram" + number, 200), 1))
                .toList();
        TierConfig tier = TierConfig.of("dram", new Marks(1, 0.99), members.toArray(TierMember[]::new));
        try (PoolHarness pool = new PoolHarness(PoolConfig.of(tier), KeyHash.seeded(1))) {
            IntStream.range(0, 600).forEach(pool::putPage);
            on(pool, "dram3", 0, 600).forEach(name -> pool.evict(name, EvictionReason.DELETED));
            IntStream.range(1_000, 1_120).forEach(pool::putPage);
            assertThat(on(pool, "dram3", 1_000, 1_120))
                    .as("a quarter, and nearly as many of the others'")
                    .hasSizeBetween(40, 60);
            for (String other : List.of("dram0", "dram1", "dram2")) {
                assertThat(on(pool, other, 1_000, 1_120)).hasSizeBetween(12, 30);
            }
        }
    }

    @Test
    void a_member_that_has_caught_up_gets_its_share() {
        try (PoolHarness pool = two(400, 1, 400, 1, new Marks(1, 0.99))) {
            IntStream.range(0, 400).forEach(pool::putPage);
            on(pool, "dram1", 0, 400).forEach(name -> pool.evict(name, EvictionReason.DELETED));
            IntStream.range(1_000, 1_300).forEach(pool::putPage);
            assertThat(on(pool, "dram1", 1_000, 1_300)).hasSizeGreaterThan(180);
            IntStream.range(2_000, 2_100).forEach(pool::putPage);
            assertThat(on(pool, "dram0", 2_000, 2_100)).hasSizeBetween(35, 65);
        }
    }

    @Test
    void a_member_that_does_not_work_is_not_the_emptiest() {
        FarMedium sick = new FarMedium("far0", 100);
        FarMedium sound = new FarMedium("far1", 100);
        TierConfig lower = TierConfig.of("far", Marks.DEFAULT, new TierMember(sick, 1), new TierMember(sound, 1));
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 100), 1));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity())) {
            sick.healthy = false;
            demote(pool, 0, 50);
            assertThat(on(pool, "far1", 0, 50)).hasSize(50);
            sick.healthy = true;
            demote(pool, 50, 70);
            assertThat(on(pool, "far0", 50, 70)).as("it came back empty").hasSizeGreaterThan(12);
        }
    }

    private static void demote(PoolHarness pool, int from, int to) {
        IntStream.range(from, to).forEach(name -> {
            pool.putPage(name);
            pool.evict(name, EvictionReason.CAPACITY);
            pool.settle();
        });
    }

    @Test
    void a_member_without_space_spills_to_the_next() {
        try (PoolHarness pool = two(5, 1, 50, 1, new Marks(1, 0.99))) {
            assertThat(places(pool, 54)).hasSize(54).doesNotContain(List.of());
            assertThat(pool.backend().freeBytes()).isZero();
        }
    }

    @Test
    void the_member_above_its_mark_is_drained_and_the_other_is_left_alone() {
        try (PoolHarness pool = two(20, 1, 200, 1, new Marks(0.9, 0.5))) {
            IntStream.range(0, 40).forEach(pool::putPage);
            long before = pool.pool.status().backends().getLast().residentBytes();
            pool.settle();
            assertThat(pool.backend().residentBytes()).isEqualTo(10 * PAGE);
            assertThat(pool.pool.status().backends().getLast().residentBytes()).isEqualTo(before);
        }
    }

    @Test
    void a_look_up_leases_what_it_finds_and_nothing_else() {
        try (PoolHarness pool = PoolHarness.dram(10, Marks.DEFAULT)) {
            pool.putPage(1);
            assertThat(pool.session.lookup(key(2))).isEmpty();
            assertThat(pool.pool.status().leases()).isZero();
            assertThat(pool.session.lookup(key(1))).hasValue(PAGE);
            assertThat(pool.pool.status().leases()).isEqualTo(1);
        }
    }

    @Test
    void a_put_under_way_counts_as_used_until_it_ends() {
        try (PoolHarness pool = PoolHarness.dram(10, Marks.DEFAULT)) {
            Reserved.Reservation put =
                    (Reserved.Reservation) pool.session.reserve(key(1), 3 * PAGE, PutHints.NONE, PutMode.REPLACE);
            assertThat(pool.backend().freeBytes()).isEqualTo(7 * PAGE);
            assertThat(pool.backend().reservedBytes()).isEqualTo(3 * PAGE);
            put.close();
            assertThat(pool.backend().freeBytes()).isEqualTo(10 * PAGE);
        }
    }

    @Test
    void two_clears_leave_nothing_but_what_readers_hold_and_a_put_under_way_lands_after_them() {
        try (PoolHarness pool = PoolHarness.dram(10, Marks.DEFAULT)) {
            pool.putPage(1);
            ReadResult.Pinned reader = pool.pin(1);
            Reserved.Reservation put =
                    (Reserved.Reservation) pool.session.reserve(key(2), PAGE, PutHints.NONE, PutMode.REPLACE);
            pool.pool.clear();
            pool.pool.clear();
            assertThat(pool.held(10)).isEmpty();
            assertThat(pool.backend().doomedBytes()).isEqualTo(PAGE);
            assertThat(PoolHarness.bytes(reader)).isEqualTo(value(1, PAGE));
            reader.close();
            PoolHarness.fill(put.segments(), value(2, PAGE));
            assertThat(put.commit()).isEqualTo(Answer.STORED);
            assertThat(pool.get(2)).isEqualTo(value(2, PAGE));
            assertThat(pool.backend().freeBytes()).isEqualTo(9 * PAGE);
        }
    }
}
