package io.tidemark.core.pool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An opaque byte key of 1 to {@value #MAX_BYTES} bytes, and the part of the block that is meant.
 *
 * <p>A block has one part, unless the client stores one block under several keys (LMCache: {@code ...kv_bytes} and
 * {@code ...metadata}): then the parts share one entry, and are found, pinned and evicted as one unit.
 */
public final class BlockKey {
    /** Longest key in bytes. */
    public static final int MAX_BYTES = 65_536;

    private final byte[] bytes;
    private final int part;

    private BlockKey(byte[] bytes, int part) {
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("key of " + bytes.length + " bytes; expected 1 to " + MAX_BYTES);
        }
        this.bytes = bytes;
        this.part = part;
    }

    /** A key over these bytes; the array belongs to the key from here on. */
    public static BlockKey of(byte[] bytes) {
        return new BlockKey(bytes, 0);
    }

    /** A key from text, in UTF-8. */
    public static BlockKey of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The given part (0 or 1) of the block with this key. */
    public BlockKey part(int number) {
        if (number < 0 || number > 1) {
            throw new IllegalArgumentException("part " + number + "; expected 0 or 1");
        }
        return new BlockKey(bytes, number);
    }

    /** The key's bytes, not a copy: read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** Number of the part meant, 0 for a block of one part. */
    public int part() {
        return part;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockKey key && key.part == part && Arrays.equals(key.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes) * 31 + part;
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8) + (part == 0 ? "" : "#" + part);
    }
}
