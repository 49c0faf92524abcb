package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What LMCache's clients need of the server, over a socket. */
class LmcacheClientTest {
    private static final String KEY = "llama@00000000@0@";
    private static final String CHUNK = "llama@1@0@00ff@half";

    @Test
    void pairIsFoundTogetherAndGoesTogether() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient client = server.client()) {
            client.set(CHUNK + "kv_bytes", value("kv", 300_000));
            assertThat(client.call("EXISTS", CHUNK + "metadata")).isEqualTo(":0\r\n");
            client.set(CHUNK + "metadata", value("meta", 28));
            client.set(CHUNK, bytes("a key of its own"));
            assertThat(client.call("EXISTS", CHUNK + "metadata")).isEqualTo(":1\r\n");
            assertThat(client.get(CHUNK + "metadata")).isEqualTo(value("meta", 28));
            assertThat(client.get(CHUNK + "kv_bytes")).isEqualTo(value("kv", 300_000));
            assertThat(client.call("SCAN", "0", "COUNT", "100"))
                    .contains(CHUNK + "kv_bytes\r\n", CHUNK + "metadata\r\n", CHUNK + "\r\n");
            assertThat(client.call("TM.EVICT", CHUNK + "kv_bytes")).contains("FREED");
            assertThat(client.call("EXISTS", CHUNK + "metadata", CHUNK + "kv_bytes"))
                    .isEqualTo(":0\r\n");
            assertThat(client.get(CHUNK)).isEqualTo(bytes("a key of its own"));
        }
    }

    /** The native client reads as many bytes as the header of a hit has, whatever comes. */
    @Test
    void missHasTheLengthOfTheHeaderThatTheClientReads() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .listener(Compat.LMCACHE_RESP, Optional.empty())
                        .start();
                RawClient quirky = server.client(2);
                RawClient plain = server.client(0)) {
            assertThat(quirky.call("GET", KEY + "aa"))
                    .as("nothing is known of the namespace")
                    .isEqualTo("$-1\r\n");
            plain.set(KEY + "xx", value("xx", 9));
            assertThat(quirky.call("GET", KEY + "aa"))
                    .as("nothing is learnt from other listeners")
                    .isEqualTo("$-1\r\n");
            quirky.set(KEY + "aa", value("aa", 2 << 20));
            assertThat(quirky.call("GET", KEY + "bb")).isEqualTo("-MISS   \r\n").hasSize("$2097152\r\n".length());
            assertThat(quirky.get(KEY + "aa")).isEqualTo(value("aa", 2 << 20));
            assertThat(quirky.call("GET", KEY + "cc")).isEqualTo("-MISS   \r\n");
            assertThat(plain.call("GET", KEY + "bb")).as("another listener").isEqualTo("$-1\r\n");
        }
    }
}
