package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlainJsonTest {
    private record Inner(long pid, List<String> redisPorts, List<String> none) {}

    private record Outer(String event, int startMilliseconds, Inner server, List<Inner> others) {}

    private record Other(double share, Thread.State kind, double more) {}

    private record Odd(double share) {}

    private record Maybe(Optional<String> text) {}

    @Test
    void recordsAreWrittenAsTheLibraryWritesThem() {
        String letters = IntStream.range(0, 0x300)
                .mapToObj(letter -> String.valueOf((char) letter))
                .collect(Collectors.joining());
        Inner inner = new Inner(Long.MIN_VALUE, List.of(letters, ",", "\uD83D\uDE00"), List.of());
        Outer outer = new Outer("ready", -7, inner, List.of(inner, new Inner(0, List.of(""), List.of("x"))));

        assertThat(PlainJson.write(outer)).isEqualTo(Json.write(outer));
        for (double number : new double[] {0, 0.1, -12.345, 1e7, 123_456_789.25, 1e300, Double.MIN_VALUE}) {
            Other other = new Other(number, Thread.State.TIMED_WAITING, 1 / (number + 3));
            assertThat(PlainJson.write(other)).isEqualTo(Json.write(other));
        }
        assertThat(Json.readExactly(PlainJson.write(inner), Inner.class)).isEqualTo(inner);
    }

    @Test
    void whatItDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> PlainJson.write(new Odd(Double.NaN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("class java.lang.Double; expected strings, finite numbers");
        assertThatThrownBy(() -> PlainJson.write(new Maybe(Optional.empty())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("class java.util.Optional; expected strings");
    }
}
