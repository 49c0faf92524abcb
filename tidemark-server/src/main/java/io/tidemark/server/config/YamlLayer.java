package io.tidemark.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Reads the configuration file into values by key, with the line of each; refuses keys that are no setting. */
final class YamlLayer {
    private final Path file;
    private final Map<String, Given> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private YamlLayer(Path file) {
        this.file = file;
    }

    /** The values in the file, by setting; an empty file holds none. Adds what is wrong with it to {@code problems}. */
    static Map<String, Given> read(Path file, List<String> problems) {
        YamlLayer layer = new YamlLayer(file);
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = new YAMLFactory().createParser(ObjectReadContext.empty(), in)) {
            layer.document(parser);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            layer.problem(
                    line,
                    "no YAML: " + e.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            problems.add("cannot read configuration file " + file + ": " + reason(e));
        }
        problems.addAll(layer.problems);
        return layer.values;
    }

    private static String reason(IOException e) {
        return e instanceof java.nio.file.NoSuchFileException ? "no such file" : e.toString();
    }

    private void document(JsonParser parser) {
        JsonToken first = parser.nextToken();
        if (first == null || first == JsonToken.VALUE_NULL) {
            return;
        }
        if (first != JsonToken.START_OBJECT) {
            problem(line(parser), "expected settings as 'key: value'");
            return;
        }
        object(parser, "");
        if (parser.nextToken() != null) {
            problem(line(parser), "a second document; expected one");
        }
    }

    private void object(JsonParser parser, String prefix) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = prefix + parser.currentName();
            int line = line(parser);
            JsonToken token = parser.nextToken();
            boolean setting = Settings.byKey(key).isPresent();
            boolean group =
                    Settings.all().stream().anyMatch(known -> known.key().startsWith(key + "."));
            if (!setting && !group) {
                problem(line, "unknown key '" + key + "'" + Nearest.hint(key, knownKeys()));
                parser.skipChildren();
            } else if (group && token == JsonToken.START_OBJECT) {
                object(parser, key + ".");
            } else if (group && token != JsonToken.VALUE_NULL) {
                problem(line, "'" + key + "' is a group of settings; expected keys under it");
                parser.skipChildren();
            } else if (setting) {
                value(parser, key, line);
            }
        }
    }

    private void value(JsonParser parser, String key, int line) {
        JsonToken token = parser.currentToken();
        String text;
        if (token == JsonToken.START_ARRAY && key.equals(Settings.REDIS_LISTENERS.key())) {
            text = listeners(parser);
        } else if (token == JsonToken.START_ARRAY
                && Settings.byKey(key).stream().anyMatch(Setting::many)) {
            text = list(parser, key);
        } else if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            text = parser.getString();
        } else {
            problem(line, "'" + key + "' has no usable value; expected one value on the line of its key");
            parser.skipChildren();
            return;
        }
        Given before = values.put(key, new Given(text, new Origin.File(file, line)));
        if (before != null) {
            problem(line, "'" + key + "' is given twice; first at " + before.origin());
        }
    }

    /** Turns a list of values into their text with commas. */
    private String list(JsonParser parser, String key) {
        List<String> items = new ArrayList<>();
        while (parser.nextToken().isScalarValue()) {
            items.add(parser.getString());
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            problem(line(parser), "'" + key + "' holds something that is no value; expected a list of values");
            parser.skipChildren();
        }
        return String.join(",", items);
    }

    /** Turns a list of objects into the text form of the same listeners. */
    private String listeners(JsonParser parser) {
        List<String> items = new ArrayList<>();
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            List<String> parts = new ArrayList<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                parts.add(name + "=" + parser.getString());
            }
            items.add(String.join(",", parts));
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            problem(line(parser), "a listener has to be an object, for example {port: 6400}");
        }
        return String.join(";", items);
    }

    private static Set<String> knownKeys() {
        Set<String> keys = new TreeSet<>();
        for (Setting<?> setting : Settings.all()) {
            keys.add(setting.key());
            int dot = setting.key().indexOf('.');
            if (dot > 0) {
                keys.add(setting.key().substring(0, dot));
            }
        }
        return keys;
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private void problem(int line, String text) {
        problems.add(file + ":" + line + ": " + text);
    }
}
