package io.tidemark.server.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.core.pool.BlockKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Keys of clients to keys of blocks and back, one to one.
 *
 * <p>LMCache stores a chunk under two keys, {@code K + "kv_bytes"} and {@code K + "metadata"}, where K is
 * {@code model@world@worker@hash@dtype[@tag%value...]}. Both are parts of one block, so that they live and go together:
 * the block is called {@code K + "kv_bytes"}, its part 1 is the metadata. Every other key is a block of its own.
 */
public final class KeyCodec {
    private static final byte[] VALUE = "kv_bytes".getBytes(US_ASCII);
    private static final byte[] METADATA = "metadata".getBytes(US_ASCII);
    private static final int MIN_FIELDS = 5;

    private KeyCodec() {}

    /** The block, and its part, that a client's key names; the key has 1 to {@link BlockKey#MAX_BYTES} bytes. */
    public static BlockKey decode(byte[] key) {
        if (!endsWith(key, METADATA) || !isChunk(key, key.length - METADATA.length)) {
            return BlockKey.of(key);
        }
        return BlockKey.of(replaceEnd(key, METADATA, VALUE)).part(1);
    }

    /**
     * A client's key that is written in hex digits.
     *
     * @throws IllegalArgumentException when it is not
     */
    public static byte[] parseHex(String text) {
        if (text.isEmpty() || text.length() % 2 != 0 || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("'" + text + "' is no key in hex digits; expected two for each byte");
        }
        return HexFormat.of().parseHex(text);
    }

    /** The client's key that names this part of a block. */
    public static byte[] encode(BlockKey key) {
        return key.part() == 0 ? key.bytes() : replaceEnd(key.bytes(), VALUE, METADATA);
    }

    /** Whether a block may have a part 1. */
    public static boolean isPair(BlockKey key) {
        return endsWith(key.bytes(), VALUE) && isChunk(key.bytes(), key.bytes().length - VALUE.length);
    }

    /** The other part of the block, where it may have two. */
    public static Optional<BlockKey> otherPart(BlockKey key) {
        return isPair(key) ? Optional.of(key.part(1 - key.part())) : Optional.empty();
    }

    private static byte[] replaceEnd(byte[] key, byte[] old, byte[] end) {
        byte[] out = Arrays.copyOf(key, key.length - old.length + end.length);
        System.arraycopy(end, 0, out, key.length - old.length, end.length);
        return out;
    }

    private static boolean endsWith(byte[] key, byte[] end) {
        return key.length > end.length && Arrays.equals(key, key.length - end.length, key.length, end, 0, end.length);
    }

    private static boolean isChunk(byte[] key, int length) {
        String[] fields = new String(key, 0, length, ISO_8859_1).split("@", -1);
        if (fields.length < MIN_FIELDS || fields[0].isEmpty() || fields[4].isEmpty() || fields[4].indexOf('%') >= 0) {
            return false;
        }
        for (int i = MIN_FIELDS; i < fields.length; i++) {
            if (fields[i].indexOf('%') < 1) {
                return false;
            }
        }
        return isDecimal(fields[1]) && isDecimal(fields[2]) && isHex(fields[3]);
    }

    private static boolean isDecimal(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isHex(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
    }
}
