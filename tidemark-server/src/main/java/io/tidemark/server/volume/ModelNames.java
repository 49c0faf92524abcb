package io.tidemark.server.volume;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the name of a model from the {@code config.json} beside its rank directories. */
final class ModelNames {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final long CONFIG_BYTES_MAX = 1 << 20;

    private final Path cache;

    ModelNames(Path cache) {
        this.cache = cache;
    }

    /**
     * The name of the model of a rank directory: {@code model_name} in {@code <path without _r<rank>>/config.json}.
     *
     * @param rankPath path of the rank directory below the root of the cache, in bytes
     */
    Optional<String> of(byte[] rankPath) {
        String path = new String(rankPath, StandardCharsets.UTF_8);
        String base = path.replaceFirst("_r\\d+$", "");
        if (base.equals(path)) {
            return Optional.empty();
        }
        Path config = cache.resolve(base).resolve("config.json");
        try {
            if (!Files.isRegularFile(config) || Files.size(config) > CONFIG_BYTES_MAX) {
                return Optional.empty();
            }
            JsonNode name = MAPPER.readTree(Files.readString(config)).path("model_name");
            return name.isString() ? Optional.of(name.asString()) : Optional.empty();
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }
}
