package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Growth of the index: no call moves more than a bounded part of a stripe, however large the stripe is. */
class IndexGrowthTest {
    private static final int KEYS = 200_000;
    /** Rows of one segment of the table, and of one chunk of keys, hashed once each. */
    private static final int MOST_HASHES = 2_000;

    /** Counts the keys that a call looks at: everything that is moved is hashed again. */
    private static final class CountedHash implements KeyHash {
        private final KeyHash hash = KeyHash.seeded(1);
        private int calls = 0;
        private int most = 0;

        @Override
        public long hash(byte[] key) {
            calls++;
            return hash.hash(key);
        }

        void endOfCall() {
            most = Math.max(most, calls);
            calls = 0;
        }
    }

    private final CountedHash hash = new CountedHash();
    private final EntryStripe stripe = new EntryStripe(0, hash, new IndexSpace(Long.MAX_VALUE, 8));

    private static byte[] key(int number) {
        return ("a key of some bytes, number " + number).getBytes(StandardCharsets.UTF_8);
    }

    private void add(int number) {
        stripe.add(key(number), hash.hash(key(number)), 1);
        hash.endOfCall();
    }

    private void remove(int number) {
        int row = stripe.find(key(number), hash.hash(key(number)));
        assertThat(row).isNotEqualTo(EntryRows.NONE);
        stripe.remove(row);
        hash.endOfCall();
    }

    @Test
    void noCallMovesMoreThanAPieceOfTheStripe() {
        for (int number = 0; number < KEYS; number++) {
            add(number);
        }
        Random random = new Random(1);
        for (int number = 0; number < KEYS; number++) {
            if (random.nextInt(4) > 0) {
                remove(number);
                add(KEYS + number);
            }
        }
        assertThat(hash.most).isBetween(100, MOST_HASHES);
        assertThat(stripe.size()).isEqualTo(KEYS);
        assertThat(stripe.find(key(KEYS), hash.hash(key(KEYS)))).isNotEqualTo(stripe.find(key(0), hash.hash(key(0))));
    }

    @Test
    void holesOfRemovedKeysAreUsedAgain() {
        KeyStore keys = new KeyStore();
        byte[] key = key(1);
        int highest = 0;
        for (int round = 0; round < 100_000; round++) {
            int position = keys.add(0, key);
            highest = Math.max(highest, position);
            keys.remove(0, position);
            while (keys.sparse() != KeyStore.NONE) {
                keys.pack((where, dead) -> {});
            }
        }
        assertThat(highest).isLessThan(4 * 8_192);
    }
}
