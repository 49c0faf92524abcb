package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch of an engine is a chain, root first: a part of it is worth something only without gaps from the root on. */
class BatchOrderTest {
    /** More than are put in order in one step. */
    private static final int MANY = 150;

    private int blocks = 16;

    @SuppressWarnings("NullAway.Init") // each test starts its own
    private ServerUnderTest server;

    @SuppressWarnings("NullAway.Init")
    private RawClient client;

    /** A server that holds four chains. */
    private void start(int bytes) throws Exception {
        server = ServerUnderTest.with().capacity(4L * blocks * charged(bytes)).start();
        client = server.client();
    }

    private static long charged(int bytes) {
        return Math.max(bytes, 4_096);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    /** The long ones leave from where they lie, the short ones are copied into the reply. */
    @ParameterizedTest
    @ValueSource(ints = {64 << 10, 2 << 10})
    void ofAChainThatWasStoredByOneMsetTheEndGoesFirst(int bytes) throws Exception {
        start(bytes);
        List<byte[]> words = new ArrayList<>(List.of(RawClient.bytes("MSET")));
        chain().forEach(key -> {
            words.add(RawClient.bytes(key));
            words.add(RawClient.value(key, bytes));
        });
        client.send(RawClient.encode(words.toArray(byte[][]::new)));
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        assertWhatIsLeftBeginsAtTheRoot(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {64 << 10, 2 << 10})
    void ofAChainThatWasReadByOneMgetTheEndGoesFirst(int bytes) throws Exception {
        start(bytes);
        for (String key : chain()) {
            client.set(key, RawClient.value(key, bytes));
        }
        List<String> words = new ArrayList<>(List.of("MGET"));
        words.addAll(chain());
        words.add("no-such-key");
        client.send(RawClient.encode(words.toArray(String[]::new)));
        assertThat(client.header()).isEqualTo("*" + (blocks + 1) + "\r\n");
        for (String key : chain()) {
            assertThat(client.value()).isEqualTo(RawClient.value(key, bytes));
        }
        assertThat(client.header()).isEqualTo("$-1\r\n");
        assertWhatIsLeftBeginsAtTheRoot(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {16 << 10, 2 << 10})
    void aLongChainIsPutInOrderInSteps(int bytes) throws Exception {
        blocks = MANY;
        ofAChainThatWasReadByOneMgetTheEndGoesFirst(bytes);
        stop();
        ofAChainThatWasStoredByOneMsetTheEndGoesFirst(bytes);
    }

    private List<String> chain() {
        return IntStream.range(0, blocks).mapToObj(i -> "block-" + i).toList();
    }

    private void assertWhatIsLeftBeginsAtTheRoot(int bytes) throws Exception {
        for (int filler = 0; !beganToEvict(); filler++) {
            client.set("filler-" + filler, RawClient.value("filler-" + filler, bytes));
        }
        await().until(() -> backend().residentBytes() <= backend().lowBytes() + 4 * charged(bytes));
        List<Boolean> left = chain().stream()
                .map(key -> server.pool().contains(BlockKey.of(key)))
                .toList();
        assertThat(left).doesNotContainSubsequence(false, true);
    }

    /** Nothing was evicted before the first of the chain. */
    private boolean beganToEvict() {
        return !chain().stream().allMatch(key -> server.pool().contains(BlockKey.of(key)));
    }

    private BackendStatus backend() {
        return server.pool().status().backends().getFirst();
    }
}
