package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.LinkedHashMap;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replies to a GET miss of LMCache's native client, which reads as many bytes as the header of a hit would have before
 * it looks at them.
 *
 * <p>Only for keys as {@code lmcache server} writes them, {@code model@kv_rank@group@hash[@salt]} with a rank of eight
 * hexadecimal digits. LMCache within the engine uses the same client with other keys and does not look at what it says:
 * it takes a padded miss for a hit of whatever its memory held. It has to wait for ever instead, as it does for Redis.
 *
 * <p>All values of a namespace (the first three fields of a key) have one length; the header length is learnt from values that clients of such a listener store or read, and from nobody else. The
 * {@value #MAX_NAMESPACES} namespaces used last are kept, so that strange keys push out none that is in use. Thread-safe;
 * the monitor is held for one look-up.
 */
public final class MissPadding {
    private static final int MAX_NAMESPACES = 4_096;
    /** A longer one is not learnt: names of models are far shorter. */
    private static final int MAX_NAMESPACE_BYTES = 512;

    private static final Pattern NAMESPACE = Pattern.compile("([^@]+@[0-9a-f]{8}@[0-9a-f]+)@.");
    private static final int FRAME_BYTES = "-\r\n".length();
    private static final String WORD = "MISS";

    /** From the namespace used longest ago to the one used last. Guarded by this. */
    private final SequencedMap<String, Integer> headerBytes = new LinkedHashMap<>(16, 0.75f, true);

    /** Learns the header length of a key's namespace from a value of this length. */
    synchronized void learn(byte[] key, long valueBytes) {
        String namespace = namespace(key);
        if (namespace.isEmpty()) {
            return;
        }
        headerBytes.put(namespace, ("$" + valueBytes + "\r\n").length());
        if (headerBytes.size() > MAX_NAMESPACES) {
            headerBytes.pollFirstEntry();
        }
    }

    /** Length of the header of a hit under the key's namespace, where it is known. */
    synchronized OptionalInt headerBytes(byte[] key) {
        Integer known = headerBytes.get(namespace(key));
        return known == null ? OptionalInt.empty() : OptionalInt.of(known);
    }

    /**
     * The text of an error whose whole line, with its sign and line end, has {@code lineBytes} bytes: the header of the
     * shortest value has 4, which leaves room for the first letter of the word.
     */
    static String errorText(int lineBytes) {
        int bytes = lineBytes - FRAME_BYTES;
        return bytes < WORD.length() ? WORD.substring(0, bytes) : WORD + " ".repeat(bytes - WORD.length());
    }

    /** The first three fields of a key that is to be padded; empty for other keys. */
    private static String namespace(byte[] key) {
        String start = new String(key, 0, Math.min(key.length, MAX_NAMESPACE_BYTES), ISO_8859_1);
        Matcher matcher = NAMESPACE.matcher(start);
        return matcher.lookingAt() ? matcher.group(1) : "";
    }
}
