package io.tidemark.index.prefix;

import java.util.Optional;

/**
 * What separates the caches of tenants and adapters in one tree. An empty string counts as absent.
 *
 * @param extraKey for example the name of a LoRA adapter
 * @param salt a tenant's cache salt
 */
public record Namespace(Optional<String> extraKey, Optional<String> salt) {
    /** Drops empty strings. */
    public Namespace {
        extraKey = extraKey.filter(text -> !text.isEmpty());
        salt = salt.filter(text -> !text.isEmpty());
    }
}
