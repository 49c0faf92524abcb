package io.tidemark.index.prefix;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The hash of a page: SHA-256 over the digest of the page before it and the page's token ids (unsigned 32 bits, little
 * endian; with bigrams both of each pair). The first page follows the seed of its namespace, if that has one.
 */
final class HashChain {
    /** Ints of a digest. */
    static final int DIGEST_INTS = 8;

    private static final int DIGEST_BYTES = 32;
    private static final String SALT_DOMAIN = "sglang-cache-salt-v1\0";
    private static final String NAMESPACE_DOMAIN = "sglang-cache-namespace-v1";

    private final MessageDigest sha = sha256();
    private final ByteBuffer page;
    private final byte[] digest = new byte[DIGEST_BYTES];

    HashChain(KeyShape shape) {
        int tokens = shape.bigram() ? 2 * shape.pageSize() : shape.pageSize();
        this.page = ByteBuffer.allocate(tokens * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Starts a chain without a digest before it. */
    void start() {
        sha.reset();
        page.clear();
    }

    /** Starts a chain after the given bytes: a seed. */
    void start(byte[] before) {
        start();
        sha.update(before);
    }

    /** Starts a chain after a digest that {@link #finish} gave. */
    void start(int[] before, int at) {
        start();
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        for (int i = 0; i < DIGEST_INTS; i++) {
            bytes.putInt(before[at + i]);
        }
        sha.update(digest);
    }

    void token(int token) {
        page.putInt(token);
    }

    /** Ends the page: writes its digest and makes it the start of the next page. */
    void finish(int[] target, int at) {
        sha.update(page.array(), 0, page.position());
        page.clear();
        try {
            sha.digest(digest, 0, DIGEST_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 does not fit 32 bytes", e);
        }
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        for (int i = 0; i < DIGEST_INTS; i++) {
            target[at + i] = bytes.getInt();
        }
        sha.update(digest);
    }

    /** The seed of a namespace, under the given rule. */
    static Optional<byte[]> seed(Namespace namespace, EventHashes rule) {
        if (rule == EventHashes.SGLANG) {
            return namespace.salt().map(salt -> sha256().digest((SALT_DOMAIN + salt).getBytes(StandardCharsets.UTF_8)));
        }
        if (namespace.extraKey().isEmpty() && namespace.salt().isEmpty()) {
            return Optional.empty();
        }
        MessageDigest sha = sha256();
        sha.update(NAMESPACE_DOMAIN.getBytes(StandardCharsets.UTF_8));
        update(sha, namespace.extraKey());
        update(sha, namespace.salt());
        return Optional.of(sha.digest());
    }

    private static void update(MessageDigest sha, Optional<String> text) {
        if (text.isEmpty()) {
            sha.update((byte) 0);
            return;
        }
        byte[] bytes = text.get().getBytes(StandardCharsets.UTF_8);
        sha.update((byte) 1);
        sha.update(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bytes.length)
                .flip());
        sha.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
