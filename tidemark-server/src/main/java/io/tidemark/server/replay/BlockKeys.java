package io.tidemark.server.replay;

import java.nio.charset.StandardCharsets;

/** Names blocks on the wire. The length of a block is part of its key, so that runs with other lengths do not mix. */
final class BlockKeys {
    private final byte[] prefix;

    BlockKeys(int blockBytes) {
        this.prefix = ("tidemark:replay:" + blockBytes + ":").getBytes(StandardCharsets.US_ASCII);
    }

    /** The key of a block: the prefix and its number in hexadecimal. */
    byte[] of(long block) {
        byte[] digits = Long.toHexString(block).getBytes(StandardCharsets.US_ASCII);
        byte[] key = new byte[prefix.length + digits.length];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        System.arraycopy(digits, 0, key, prefix.length, digits.length);
        return key;
    }
}
