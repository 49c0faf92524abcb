package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HexWordsTest {
    @Test
    void everyByteInEveryPlaceIsJudgedAsOneByOne() {
        for (int place = 0; place < HexWords.DIGITS; place++) {
            for (int value = 0; value < 256; value++) {
                byte[] bytes = {'0', '9', 'a', 'f', '5', 'c', '0', '7'};
                bytes[place] = (byte) value;
                boolean digit = Name.lowerHex((byte) value) >= 0;
                assertThat(HexWords.isLowerHex(Name.of(bytes).wordAt(0)))
                        .as("byte %d in place %d", value, place)
                        .isEqualTo(digit);
            }
        }
    }

    @Test
    void digitsArePackedAsHexadecimal() {
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[4];
            random.nextBytes(bytes);
            long word = Name.of(HexFormat.of().formatHex(bytes)).wordAt(0);
            int packed = HexWords.pack(word);
            for (int at = 0; at < bytes.length; at++) {
                assertThat((byte) (packed >>> (8 * at))).isEqualTo(bytes[at]);
            }
        }
    }
}
