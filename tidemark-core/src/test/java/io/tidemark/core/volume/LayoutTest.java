package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {
    private static final String SHA = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    private final FsLayout strict = new FsLayout(3);

    @Test
    void bucketsOfTheStrictLayoutAreThreeLowerCaseDigitsDealtByTheLast() {
        assertThat(strict.bucketDigit(Name.of("abc"))).isEqualTo(12);
        assertThat(strict.bucketDigit(Name.of("000"))).isZero();
        for (String other : new String[] {"ABC", "0x1", "1_2", "ab", "abcd", "xyz", "+ab", ""}) {
            assertThat(strict.bucketDigit(Name.of(other))).as(other).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef.bin", SHA + ".bin", "00112233445566778899.bin"})
    void blocksOfTheStrictLayoutAreHashes(String name) {
        assertThat(strict.isBlock(Name.of(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "short.bin",
                "0123456789abcde.bin",
                "0123456789abcdefg.bin",
                "0123456789ABCDEF.bin",
                "-rf.bin",
                ".bin",
                "0123456789abcdef",
                "0123456789abcdef.bin_1.tmp",
                "pytorch_model.bin",
                "0123456789abcdef0.bin",
                ""
            })
    void otherNamesAreNoBlocks(String name) {
        assertThat(strict.isBlock(Name.of(name))).isFalse();
    }

    @Test
    void leavesRanksAndOrphansOfTheStrictLayout() {
        assertThat(strict.isLeaf(Name.of("de_g0"))).isTrue();
        assertThat(strict.isLeaf(Name.of("de_g12"))).isTrue();
        assertThat(strict.isLeaf(Name.of("plaindir"))).isFalse();
        assertThat(strict.isLeaf(Name.of("de_g"))).isFalse();
        assertThat(strict.isRank(Name.of("m_0123_r7"))).isTrue();
        assertThat(strict.isRank(Name.of("norank"))).isFalse();
        assertThat(strict.isRank(Name.of("_r7"))).isFalse();
        assertThat(strict.isOrphan(Name.of("0123456789abcdef.bin_42.tmp"))).isTrue();
        assertThat(strict.isOrphan(Name.of("0123456789abcdef.bin.tmp"))).isTrue();
        assertThat(strict.isOrphan(Name.of("x.tmp"))).isFalse();
    }

    @Test
    void theHashOfAnEventIsTheLast64BitsOfAnyEvenLength() {
        assertThat(strict.hash(Name.of("0000000000000000.bin")).value()).isZero();
        assertThat(strict.hash(Name.of("ffffffffffffffff.bin")).value()).isEqualTo(-1);
        assertThat(strict.hash(Name.of("abcdef0123456789.bin")).value()).isEqualTo(0xabcdef0123456789L);
        assertThat(strict.hash(Name.of(SHA + ".bin")).value()).isEqualTo(0x8899aabbccddeeffL);
        for (String other : new String[] {"abcdef0123456789", "abcdef0123.bin", "abcdef01234567890.bin", "zz.bin"}) {
            assertThat(strict.hash(Name.of(other)).known()).as(other).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "abc,2748",
        "ABC,2748",
        "0x1,1",
        "0X1F,31",
        "1_2,18",
        "+ab,171",
        "-ab,-171",
        "' ab',171",
        "'ab ',171",
        "0b1,177",
        "\u0663\u0664\u0665,837"
    })
    void looseNumbersReadAsTheCrawlerOfOldReadsThem(String text, int value) {
        assertThat(LooseHex.parse(text)).isEqualTo(Optional.of(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00_", "__1", "g00", "", "\u00e912", "1__2"})
    void whatTheCrawlerOfOldDoesNotReadIsNoLooseNumber(String text) {
        assertThat(LooseHex.parse(text)).isEmpty();
    }

    @Test
    void crawlersHaveEqualRangesOfDigits() {
        for (int crawlers : new int[] {1, 2, 4, 8, 16}) {
            for (int digit = 0; digit < 16; digit++) {
                assertThat(CrawlBoard.crawlerOf(digit, crawlers)).isEqualTo(digit / (16 / crawlers));
            }
        }
    }

    @Test
    void theFlatLayoutOfSglangTakesKeysOfSha256WithASuffix() {
        SglangLayout flat = new SglangLayout();
        assertThat(flat.isBlock(Name.of(SHA + "_org-m_0_1.bin"))).isTrue();
        assertThat(flat.isBlock(Name.of(SHA + ".bin"))).isTrue();
        assertThat(flat.isBlock(Name.of("pytorch_model.bin"))).isFalse();
        assertThat(flat.isBlock(Name.of("abcdef0123456789_m.bin"))).isFalse();
        assertThat(flat.provesItself()).isFalse();
    }

    @Test
    void shfsTakesKeysInHexadecimal() {
        ShfsLayout shfs = new ShfsLayout();
        assertThat(shfs.bucketDigit(Name.of("3f"))).isEqualTo(15);
        assertThat(shfs.isBlock(Name.of("0123456789abcdef"))).isTrue();
        assertThat(shfs.isBlock(Name.of("0123456789abcdef.bin"))).isFalse();
        assertThat(shfs.isOrphan(Name.of("0123456789abcdef.tmp"))).isTrue();
    }
}
