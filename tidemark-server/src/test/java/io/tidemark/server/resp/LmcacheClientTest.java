package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.NativeSys;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keysOfAPairAreCountedOneByOneAndGoTogether(boolean tiered) throws Exception {
        ServerUnderTest.Builder builder = ServerUnderTest.with();
        try (ServerUnderTest server = (tiered ? builder.ssd(NativeSys.INSTANCE) : builder).start();
                RawClient client = server.client()) {
            String kv = CHUNK + "kv_bytes";
            String metadata = CHUNK + "metadata";
            for (String delete : List.of("DEL", "UNLINK")) {
                setPair(client);
                assertThat(client.call("EXISTS", kv, metadata, kv)).isEqualTo(":3\r\n");
                assertThat(client.call("TOUCH", kv, metadata, "nothing")).isEqualTo(":2\r\n");
                assertThat(client.call(delete, kv, metadata)).isEqualTo(":2\r\n");
                setPair(client);
                assertThat(client.call(delete, metadata, "nothing", kv, kv, metadata))
                        .isEqualTo(":2\r\n");
                setPair(client);
                assertThat(client.call(delete, metadata)).isEqualTo(":1\r\n");
                assertThat(client.call("EXISTS", kv, metadata)).as("one block").isEqualTo(":0\r\n");
                client.set(kv, value("kv", 100));
                assertThat(client.call(delete, kv, metadata)).as("half a pair").isEqualTo(":1\r\n");
            }
        }
    }

    /** A time to live is the block's: what was said last of either key holds for both. */
    @Test
    void aPairHasOneTimeToLive() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient client = server.client()) {
            setPair(client);
            assertThat(client.call("EXPIRE", CHUNK + "metadata", "100")).isEqualTo(":1\r\n");
            assertThat(client.call("TTL", CHUNK + "kv_bytes")).isEqualTo(":100\r\n");
            assertThat(client.call("PERSIST", CHUNK + "kv_bytes")).isEqualTo(":1\r\n");
            assertThat(client.call("TTL", CHUNK + "metadata")).isEqualTo(":-1\r\n");
            assertThat(client.call("SET", CHUNK + "kv_bytes", "v", "EX", "100")).isEqualTo("+OK\r\n");
            assertThat(client.call("TTL", CHUNK + "metadata")).isEqualTo(":100\r\n");
            assertThat(client.call("SET", CHUNK + "metadata", "m")).isEqualTo("+OK\r\n");
            assertThat(client.call("TTL", CHUNK + "kv_bytes")).isEqualTo(":-1\r\n");
            assertThat(client.call("SET", CHUNK + "metadata", "m", "PX", "1")).isEqualTo("+OK\r\n");
            await().until(() -> client.call("EXISTS", CHUNK + "kv_bytes").equals(":0\r\n"));
        }
    }

    private static void setPair(RawClient client) throws IOException {
        client.set(CHUNK + "kv_bytes", value("kv", 10_000));
        client.set(CHUNK + "metadata", value("meta", 28));
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
