package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replies to a GET miss of LMCache's native client, which reads as many bytes as the header of a hit would have before
 * it looks at them.
 *
 * <p>All values of a namespace ({@code model@kv_rank@group}, the first three fields of a key) have one length; the
 * header length is learnt from values stored or read. At most {@value #MAX_NAMESPACES} namespaces are kept; later ones
 * are not learnt.
 */
public final class MissPadding {
    private static final int MAX_NAMESPACES = 4_096;
    private static final int NAMESPACE_FIELDS = 3;
    private static final int FRAME_BYTES = "-\r\n".length();
    private static final String WORD = "MISS";

    private final ConcurrentHashMap<String, Integer> headerBytes = new ConcurrentHashMap<>();
    private final boolean learning;

    /** Learns nothing, at no cost, unless {@code learning}: some listener has clients that need it. */
    public MissPadding(boolean learning) {
        this.learning = learning;
    }

    /** Learns the header length of a key's namespace from a value of this length. */
    void learn(byte[] key, long valueBytes) {
        if (!learning) {
            return;
        }
        String namespace = namespace(key);
        int bytes = ("$" + valueBytes + "\r\n").length();
        if (!namespace.isEmpty() && (headerBytes.size() < MAX_NAMESPACES || headerBytes.containsKey(namespace))) {
            headerBytes.put(namespace, bytes);
        }
    }

    /** Length of the header of a hit under the key's namespace, where it is known. */
    OptionalInt headerBytes(byte[] key) {
        Integer known = headerBytes.get(namespace(key));
        return known == null ? OptionalInt.empty() : OptionalInt.of(known);
    }

    /** The text of an error whose whole line, with its sign and line end, has {@code lineBytes} bytes. */
    static String errorText(int lineBytes) {
        int bytes = lineBytes - FRAME_BYTES;
        return bytes < WORD.length() ? WORD.substring(0, bytes) : WORD + " ".repeat(bytes - WORD.length());
    }

    /** The first three fields of a key of at least four; empty for other keys. */
    private static String namespace(byte[] key) {
        int fields = 0;
        for (int i = 0; i < key.length; i++) {
            if (key[i] == '@' && ++fields == NAMESPACE_FIELDS) {
                return new String(key, 0, i, ISO_8859_1);
            }
        }
        return "";
    }
}
