package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @Test
    void readsHostPortAndPassword() {
        assertThat(Endpoint.parse("redis://cache:7000")).isEqualTo(new Endpoint.Tcp("cache", 7000, Optional.empty()));
        assertThat(Endpoint.parse("redis://cache")).isEqualTo(new Endpoint.Tcp("cache", 6379, Optional.empty()));
        assertThat(Endpoint.parse("redis://:secret@cache:7000"))
                .isEqualTo(new Endpoint.Tcp("cache", 7000, Optional.of("secret")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix:///run/t.sock", "redis+unix:///run/t.sock", "/run/t.sock"})
    void readsTheFormsOfAUnixSocket(String url) {
        assertThat(Endpoint.parse(url)).isEqualTo(new Endpoint.Unix(Path.of("/run/t.sock")));
    }

    @Test
    void showsNoPassword() {
        assertThat(Endpoint.parse("redis://:secret@cache")).hasToString("redis://cache:6379");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cache:7000", "http://cache", "rediss://cache:1", "redis:///", "redis://a b"})
    void refusesWhatIsNoServerAddress(String url) {
        assertThatThrownBy(() -> Endpoint.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + url + "'")
                .hasMessageContaining("expected redis://HOST:PORT");
    }
}
