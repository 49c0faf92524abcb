package io.tidemark.server.record;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.index.replay.BlockId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * 128 bits for a key: the beginning of SHA-256 over a secret of this process and the key. The secret is written nowhere, so
 * that nobody finds a key again in a recording by trying. Not thread-safe.
 */
final class KeyDigest {
    private final byte[] secret = new byte[32];
    private final MessageDigest digest;

    KeyDigest() {
        new SecureRandom().nextBytes(secret);
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    BlockId of(BlockKey key) {
        return of(key.bytes());
    }

    private BlockId of(byte[] text) {
        digest.update(secret);
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(text));
        return new BlockId(hash.getLong(), hash.getLong());
    }

    /** Names this recording. */
    BlockId recordingId() {
        return of(new byte[0]);
    }
}
