package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.server.keys.KeyCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the keys of LMCache's clients are read. */
class LmcacheKeysTest {
    private static final String CHUNK = "meta/Llama-3@1@0@00ff3a@bfloat16";

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {CHUNK, CHUNK + "@tenant%a", CHUNK + "@tenant%a@x%b"})
    void makesThePairOfAChunkTwoPartsOfOneBlock(String chunk) {
        BlockKey value = KeyCodec.decode(bytes(chunk + "kv_bytes"));
        BlockKey metadata = KeyCodec.decode(bytes(chunk + "metadata"));
        assertThat(value.part()).isZero();
        assertThat(metadata).isEqualTo(value.part(1));
        assertThat(KeyCodec.isPair(value)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata",
                "kv_bytes",
                "user:1:metadata",
                CHUNK,
                "@1@0@00ff@bfloat16metadata",
                "m@1@0@xyz@halfmetadata",
                "m@a@0@00ff@halfmetadata",
                "m@1@0@00ff@metadata",
                "m@1@0@00ffmetadata",
                "m@1@0@00ff@half@tagmetadata",
                "m@1@0@00ff@a%bmetadata"
            })
    void leavesOtherKeysAlone(String key) {
        BlockKey decoded = KeyCodec.decode(bytes(key));
        assertThat(decoded.part()).isZero();
        assertThat(decoded.bytes()).isEqualTo(bytes(key));
    }

    @Test
    void isOneToOne() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] pieces = {CHUNK, "m@1@0@ab@half", "@", "kv_bytes", "metadata", "x", "%", "@t%v"};
        Map<BlockKey, String> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(pieces[random.nextInt(pieces.length)]);
            for (int more = random.nextInt(4); more > 0; more--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            BlockKey key = KeyCodec.decode(bytes(text.toString()));
            assertThat(new String(KeyCodec.encode(key), ISO_8859_1))
                    .as("seed %d", seed)
                    .isEqualTo(text.toString());
            String before = seen.put(key, text.toString());
            assertThat(before == null || before.equals(text.toString()))
                    .as("seed %d: %s and %s", seed, before, text)
                    .isTrue();
        }
    }

    @Test
    void padsAMissToTheHeaderOfAHit() {
        List<Integer> lengths = new ArrayList<>();
        for (int header = 4; header <= 12; header++) {
            lengths.add(("-" + MissPadding.errorText(header) + "\r\n").length());
        }
        assertThat(lengths).containsExactly(4, 5, 6, 7, 8, 9, 10, 11, 12);
        assertThat(MissPadding.errorText(10)).isEqualTo("MISS   ");
    }

    @Test
    void learnsTheHeaderLengthPerNamespace() {
        MissPadding padding = new MissPadding();
        padding.learn(bytes("m@00000000@0@aa"), 2_097_152);
        padding.learn(bytes("other@00000000@0@aa"), 99);
        padding.learn(bytes("plain"), 7);
        assertThat(padding.headerBytes(bytes("m@00000000@0@bb@salt"))).hasValue(10);
        assertThat(padding.headerBytes(bytes("other@00000000@0@bb"))).hasValue(5);
        assertThat(padding.headerBytes(bytes("m@00000000@1@aa"))).isEmpty();
        assertThat(padding.headerBytes(bytes("plain"))).isEmpty();
    }

    /** The client of these keys would take a padded miss for a hit. */
    @Test
    void keysOfLmcacheWithinTheEngineAreNotPadded() {
        MissPadding padding = new MissPadding();
        for (String key : List.of(CHUNK, "m@1@0@12345678@half", "m@1@0@1234abcd@bfloat16@tag%a")) {
            padding.learn(bytes(key), 2_097_152);
            assertThat(padding.headerBytes(bytes(key))).as(key).isEmpty();
        }
    }

    @Test
    void namespacesInUseAreNotPushedOutByStrangeOnes() {
        MissPadding padding = new MissPadding();
        padding.learn(bytes("m@00000000@0@aa"), 2_097_152);
        padding.learn(bytes("x".repeat(600) + "@00000001@2@aa"), 2_097_152);
        for (int i = 0; i < 20_000; i++) {
            padding.learn(bytes("strange" + i + "@00000001@2@aa"), 9);
            assertThat(padding.headerBytes(bytes("m@00000000@0@bb"))).hasValue(10);
        }
        padding.learn(bytes("new@00000000@0@aa"), 100);
        assertThat(padding.headerBytes(bytes("new@00000000@0@bb"))).hasValue(6);
        assertThat(padding.headerBytes(bytes("strange0@00000001@2@aa")))
                .as("forgotten")
                .isEmpty();
        assertThat(padding.headerBytes(bytes("x".repeat(600) + "@00000001@2@aa")))
                .as("too long")
                .isEmpty();
    }
}
