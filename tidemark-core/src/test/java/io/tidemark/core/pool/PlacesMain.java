package io.tidemark.core.pool;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Says where a tier of three members puts 10,000 keys; run by {@link PlacementTest} in processes of its own. */
final class PlacesMain {
    private static final int KEYS = 10_000;
    private static final Marks MARKS = new Marks(1, 0.99);

    private PlacesMain() {}

    public static void main(String[] arguments) {
        TierConfig tier = TierConfig.of(
                "dram",
                MARKS,
                new TierMember(PoolHarness.dram("dram0", 64), 3),
                new TierMember(PoolHarness.dram("dram1", 64), 2),
                new TierMember(PoolHarness.dram("dram2", 64), 1));
        CRC32C sum = new CRC32C();
        SortedMap<String, Integer> keys = new TreeMap<>();
        try (PoolHarness pool = new PoolHarness(PoolConfig.of(tier), KeyHash.seeded(Long.parseLong(arguments[0])))) {
            for (int i = 0; i < KEYS; i++) {
                String name = "Schl\u00fcssel-\u0130I\u0131i-\ud83c\udf0a-" + i;
                pool.put(name, PoolHarness.value(i, 1));
                String place = pool.where(name).getFirst();
                pool.evict(name, EvictionReason.DELETED);
                keys.merge(place, 1, Integer::sum);
                sum.update((name + place).getBytes(StandardCharsets.UTF_8));
            }
        }
        System.out.println("sum " + sum.getValue() + " of " + keys);
    }
}
