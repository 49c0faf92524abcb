package io.tidemark.server.http;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the admin port speaks it: names in snake case, compact. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private static final ObjectReader STRICT = MAPPER.reader().with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private Json() {}

    /** A record, map or list as one line. */
    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * Reads a record.
     *
     * @throws tools.jackson.core.JacksonException when the text is no such object
     */
    public static <T> T read(String text, Class<T> type) {
        return MAPPER.readValue(text, type);
    }

    /**
     * Reads a record that a person wrote: a field it does not have is a mistake.
     *
     * @throws tools.jackson.core.JacksonException when the text is no such object
     */
    public static <T> T readExactly(String text, Class<T> type) {
        return STRICT.forType(type).readValue(text);
    }
}
