package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BlockEventsTest {
    private static final Namespace LORA = new Namespace(Optional.of("lora"), Optional.empty());

    @Test
    void hashesFollowTheChainFromPageToPage() throws NoSuchAlgorithmException {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withPageSize(2).withEvents(EventHashes.SGLANG));
        insert(tree, 0, 1, 2, 3, 4);
        byte[] first = sha(tokens(1, 2));
        byte[] second = sha(first, tokens(3, 4));
        assertThat(tree.drainEvents())
                .containsExactly(
                        new CacheEvent.AllBlocksCleared(),
                        new CacheEvent.BlockStored(
                                List.of(head(first), head(second)),
                                OptionalLong.empty(),
                                List.of(1, 2, 3, 4),
                                2,
                                Medium.GPU,
                                Optional.empty()));
    }

    @Test
    void bigramsHashBothTokensOfEachPair() throws NoSuchAlgorithmException {
        PrefixTree<CountedSlots> tree =
                tree(TreeOptions.DEFAULT.withBigram(true).withEvents(EventHashes.SGLANG));
        insert(tree, 0, 1, 2, 3);
        byte[] first = sha(tokens(1, 2));
        assertThat(hashes(tree)).containsExactly(head(first), head(sha(first, tokens(2, 3))));
    }

    @Test
    void plainHashesCollideAcrossAdaptersAndNamespacedOnesDoNot() {
        PrefixTree<CountedSlots> plain = tree(TreeOptions.DEFAULT.withEvents(EventHashes.SGLANG));
        PrefixTree<CountedSlots> safe = tree(TreeOptions.DEFAULT.withEvents(EventHashes.NAMESPACED));
        for (PrefixTree<CountedSlots> tree : List.of(plain, safe)) {
            int lora = tree.namespace(LORA);
            insert(tree, 0, 7);
            insert(tree, lora, 7);
        }
        assertThat(hashes(plain)).hasSize(2).containsOnly(plainHash(7));
        assertThat(hashes(safe)).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void splitEvictAndResetTellWhatIsGone() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withEvents(EventHashes.SGLANG));
        insert(tree, 0, 1, 2, 3);
        List<Long> stored = hashes(tree);
        insert(tree, 0, 1, 9);
        List<Long> branch = hashes(tree);
        tree.evict(100);
        assertThat(tree.drainEvents())
                .containsExactly(new CacheEvent.BlockRemoved(
                        List.of(stored.get(1), stored.get(2), branch.get(0), stored.get(0)), Medium.GPU));
        tree.reset();
        assertThat(tree.drainEvents()).containsExactly(new CacheEvent.AllBlocksCleared());
    }

    @Test
    void eventsThatNobodyDrainsAreBoundedAndAskForAResync() {
        PrefixTree<CountedSlots> tree =
                tree(TreeOptions.DEFAULT.withEvents(EventHashes.SGLANG).withEventsMax(100));
        for (int i = 0; i < 150; i++) {
            insert(tree, 0, i);
        }
        List<CacheEvent> events = tree.drainEvents();
        assertThat(events).first().isEqualTo(new CacheEvent.Resync());
        assertThat(events).hasSizeLessThan(101);
    }

    private static PrefixTree<CountedSlots> tree(TreeOptions options) {
        return new PrefixTree<>(options, TreeServices.deviceOnly(CountedSlots.SLOTS));
    }

    private static void insert(PrefixTree<CountedSlots> tree, int namespace, int... tokens) {
        tree.insert(new TokenKey().set(namespace, tokens), new Insertion<>(CountedSlots.SLOTS));
    }

    private static List<Long> hashes(PrefixTree<?> tree) {
        return tree.drainEvents().stream()
                .filter(CacheEvent.BlockStored.class::isInstance)
                .flatMap(event -> ((CacheEvent.BlockStored) event).blockHashes().stream())
                .toList();
    }

    private static long plainHash(int token) {
        try {
            return head(sha(tokens(token)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] tokens(int... tokens) {
        ByteBuffer bytes = ByteBuffer.allocate(tokens.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int token : tokens) {
            bytes.putInt(token);
        }
        return bytes.array();
    }

    private static byte[] sha(byte[]... parts) throws NoSuchAlgorithmException {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        for (byte[] part : parts) {
            sha.update(part);
        }
        return sha.digest();
    }

    private static long head(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }
}
