package io.tidemark.server.resp;

import java.util.Arrays;
import java.util.Locale;

/** Quirks of a client that a listener answers to; set per listener, never guessed. */
public enum Compat {
    /** As Redis. */
    NONE,
    /**
     * LMCache's native {@code resp://} client, which reads exactly as many bytes of a GET's reply header as the header
     * of a hit would have: a miss is {@code -MISS} padded to that length.
     */
    LMCACHE_RESP;

    /** The word for it in the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The quirk with this word; throws {@link IllegalArgumentException} with the known words when there is none. */
    public static Compat of(String word) {
        return Arrays.stream(values())
                .filter(compat -> compat.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + word + "' is not known; expected one of " + String.join(", ", words())));
    }

    /** The words of all. */
    public static String[] words() {
        return Arrays.stream(values()).map(Compat::word).toArray(String[]::new);
    }
}
