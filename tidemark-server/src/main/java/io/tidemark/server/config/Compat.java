package io.tidemark.server.config;

import java.util.Arrays;
import java.util.Locale;

/** Quirks of clients that a listener can be set to answer to. */
public enum Compat {
    /** Plain Redis. */
    NONE,
    /** A miss is {@code -MISS}, padded to the header length that LMCache's native client waits for. */
    LMCACHE_RESP;

    /** The word for it in the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The quirk with this word. */
    static Compat of(String word) {
        return Arrays.stream(values())
                .filter(compat -> compat.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + word + "' is not known; expected one of " + String.join(", ", words())));
    }

    static String[] words() {
        return Arrays.stream(values()).map(Compat::word).toArray(String[]::new);
    }
}
