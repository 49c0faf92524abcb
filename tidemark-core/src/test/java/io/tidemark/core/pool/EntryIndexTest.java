package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryIndexTest {
    /** All keys meet in one bucket: only their bytes tell them apart. */
    private static long oneBucket(byte[] key) {
        return key.length * 0L;
    }

    private static byte[] key(int number) {
        // Some keys are long enough to be kept as arrays of their own.
        String tail = number % 50 == 0 ? "x".repeat(600) : "";
        return ("key-" + number + tail).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void behaves_like_a_map_under_random_adds_and_removes(long seed) {
        Random random = new Random(seed);
        KeyHash hash = seed == 3 ? EntryIndexTest::oneBucket : KeyHash.seeded(seed);
        int keys = seed == 3 ? 200 : 20_000;
        EntryStripe stripe = new EntryStripe(0, hash, new IndexSpace(Long.MAX_VALUE, 8));
        Map<Integer, Integer> rows = new HashMap<>();
        for (int op = 0; op < (seed == 3 ? 10_000 : 200_000); op++) {
            int number = random.nextInt(keys);
            byte[] key = key(number);
            long keyHash = hash.hash(key);
            Integer row = rows.get(number);
            assertThat(stripe.find(key, keyHash)).isEqualTo(row == null ? EntryRows.NONE : row);
            if (row == null) {
                rows.put(number, stripe.add(key, keyHash, op + 1));
            } else if (random.nextBoolean()) {
                stripe.remove(row);
                rows.remove(number);
            }
        }
        assertThat(stripe.size()).isEqualTo(rows.size());
        rows.forEach((number, row) -> assertThat(stripe.key(row)).isEqualTo(key(number)));
    }

    @Test
    void a_scan_of_an_index_that_was_emptied_takes_small_steps_and_ends() {
        EntryIndex index = new EntryIndex(KeyHash.seeded(6), new IndexSpace(Long.MAX_VALUE, 8));
        for (int number = 0; number < 100_000; number++) {
            add(index, number);
        }
        for (int number = 1; number < 100_000; number++) {
            remove(index, number);
        }
        List<String> shown = new ArrayList<>();
        long cursor = 0;
        int calls = 0;
        do {
            cursor = index.scan(cursor, 10, key -> shown.add(new String(key, StandardCharsets.UTF_8)));
            calls++;
        } while (cursor != 0);
        assertThat(shown).containsExactly("key-0" + "x".repeat(600));
        assertThat(calls).as("calls of at most 640 rows").isGreaterThanOrEqualTo(100_000 / 640);
    }

    @Test
    void a_scan_shows_every_key_that_stays_exactly_once_while_others_come_and_go() {
        EntryIndex index = new EntryIndex(KeyHash.seeded(5), new IndexSpace(Long.MAX_VALUE, 8));
        for (int number = 0; number < 5_000; number++) {
            add(index, number);
        }
        Map<String, Integer> shown = new HashMap<>();
        long cursor = 0;
        int step = 0;
        do {
            cursor = index.scan(
                    cursor, 37, key -> shown.merge(new String(key, StandardCharsets.UTF_8), 1, Integer::sum));
            remove(index, 5_000 - 1 - step);
            add(index, 10_000 + step);
            step++;
        } while (cursor != 0);
        Set<String> stayed = new HashSet<>();
        for (int number = 0; number < 5_000 - step; number++) {
            stayed.add(new String(key(number), StandardCharsets.UTF_8));
        }
        assertThat(shown.keySet()).containsAll(stayed);
        assertThat(stayed).allSatisfy(key -> assertThat(shown.get(key)).isEqualTo(1));
    }

    @Test
    void copies_of_a_row_keep_their_order() {
        EntryRows rows = new EntryRows();
        int row = rows.addRow(1, 0, Place.NONE);
        rows.addCopy(row, 10, Place.of(1, 0), true);
        rows.addCopy(row, 20, Place.of(2, 0), false);
        rows.addCopy(row, 30, Place.of(0, 0), true);
        rows.addCopy(row, 40, Place.of(3, 1), false);
        assertThat(handles(rows, row)).containsExactly(30, 10, 20, 40);
        assertThat(rows.removeCopy(row, 30, Place.of(0, 0))).isTrue();
        assertThat(rows.removeCopy(row, 30, Place.of(0, 0))).isFalse();
        assertThat(handles(rows, row)).containsExactly(10, 20, 40);
        assertThat(rows.removeCopy(row, 20, Place.of(2, 0))).isTrue();
        assertThat(handles(rows, row)).containsExactly(10, 40);
    }

    private static long[] handles(EntryRows rows, int row) {
        long[] handles = new long[8];
        int count = 0;
        for (int cell = rows.firstCell(row); cell != EntryRows.NONE; cell = rows.next(cell)) {
            handles[count++] = rows.handle(cell);
        }
        return Arrays.copyOf(handles, count);
    }

    private static void add(EntryIndex index, int number) {
        byte[] key = key(number);
        long hash = index.hash(BlockKey.of(key));
        index.stripe(hash).add(key, hash, 1);
    }

    private static void remove(EntryIndex index, int number) {
        byte[] key = key(number);
        long hash = index.hash(BlockKey.of(key));
        EntryStripe stripe = index.stripe(hash);
        int row = stripe.find(key, hash);
        if (row != EntryRows.NONE) {
            stripe.remove(row);
        }
    }
}
