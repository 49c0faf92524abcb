package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenKeyTest {
    private static final long LARGEST = 0xFFFF_FFFFL;

    private final PrefixTree<CountedSlots> tree =
            new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS));

    @Test
    void everyIdOf32BitsIsTheSameInEitherForm() {
        tree.insert(new TokenKey().setWide(0, new long[] {0, 7, LARGEST}), new Insertion<>(CountedSlots.SLOTS));
        MatchResult match = new MatchResult();
        tree.match(new TokenKey().set(0, new int[] {0, 7, -1}), match);
        assertThat(match.length()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {LARGEST + 1, -1, Long.MIN_VALUE})
    void anIdThatDoesNotFitIsRefusedByPlaceAndValue(long wide) {
        assertThatThrownBy(() -> new TokenKey().setWide(0, new long[] {3, wide}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("token 1 is " + wide + ", expected an id of 32 bits, 0 to 4294967295");
    }

    @Test
    void aLengthOutsideTheArrayIsRefused() {
        assertThatThrownBy(() -> new TokenKey().set(0, new int[3], 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key length 4 is outside the array of 3 tokens");
    }
}
