package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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
    void readsThePasswordOfAUnixSocket() {
        Endpoint.Unix expected = new Endpoint.Unix(Path.of("/run/t.sock"), Optional.of("secret"));

        assertThat(Endpoint.parse("unix://:secret@/run/t.sock")).isEqualTo(expected);
        assertThat(Endpoint.parse("/run/t.sock").withPassword("secret")).isEqualTo(expected);
        assertThat(expected).hasToString("unix:///run/t.sock");
        assertThatThrownBy(() -> Endpoint.parse("unixx://:secret@/run/t.sock"))
                .message()
                .doesNotContain("secret");
        assertThatThrownBy(() -> Endpoint.parse("unix://host/run/t.sock")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Timeout(20)
    void aConnectionThatIsNotTakenFailsAtTheDeadline(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("s.sock");
        List<SocketChannel> queued = new ArrayList<>();
        try (ServerSocketChannel deaf = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            deaf.bind(UnixDomainSocketAddress.of(socket), 1);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10; i++) {
                            queued.add(new Endpoint.Unix(socket).connect(200));
                        }
                    })
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("not connected within 200 ms");
        } finally {
            for (SocketChannel channel : queued) {
                channel.close();
            }
        }
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
