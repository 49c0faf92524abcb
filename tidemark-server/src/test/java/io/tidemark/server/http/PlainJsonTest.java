package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlainJsonTest {
    private record Inner(long pid, List<String> redisPorts, List<String> none) {}

    private record Outer(String event, int startMilliseconds, Inner server, List<Inner> others) {}

    private record Other(double share) {}

    @Test
    void recordsAreWrittenAsTheLibraryWritesThem() {
        String letters = IntStream.range(0, 0x300)
                .mapToObj(letter -> String.valueOf((char) letter))
                .collect(Collectors.joining());
        Inner inner = new Inner(Long.MIN_VALUE, List.of(letters, ",", "\uD83D\uDE00"), List.of());
        Outer outer = new Outer("ready", -7, inner, List.of(inner, new Inner(0, List.of(""), List.of("x"))));

        assertThat(PlainJson.write(outer)).isEqualTo(Json.write(outer));
        assertThat(Json.readExactly(PlainJson.write(inner), Inner.class)).isEqualTo(inner);
    }

    @Test
    void whatItDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> PlainJson.write(new Other(0.5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("class java.lang.Double; expected strings");
    }
}
