package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "64Ki, 65536",
        "64Mi, 67108864",
        "64MiB, 67108864",
        "64 MiB, 67108864",
        "1.5Gi, 1610612736",
        "16GB, 16000000000",
        "1K, 1000",
        "4Ti, 4398046511104",
        "999999999999999999, 999999999999999999"
    })
    void readsSizes(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-1", "64mi", "64Kib", "1i", "1iB", "Gi", "0x10", "1,5Gi", "1e9", "9000Pi", "NaN"})
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSizeBeyondLongIsRefusedAndNotWrappedRound() {
        assertThatThrownBy(() -> ByteSize.parse("999999999999999999Pi"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1023, 1024, 4096, 1 << 20, (1 << 20) + 1, 1L << 40, 999_999_999_999_999_999L})
    void exactFormReadsBackAsTheSameSize(long bytes) {
        assertThat(ByteSize.parse(ByteSize.exact(bytes))).isEqualTo(bytes);
    }

    @Test
    void roundedFormHasOneDecimal() {
        assertThat(ByteSize.rounded(1_610_612_736L)).isEqualTo("1.5 GiB");
        assertThat(ByteSize.rounded(512)).isEqualTo("512 B");
    }
}
