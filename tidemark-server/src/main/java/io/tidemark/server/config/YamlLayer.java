package io.tidemark.server.config;

import io.tidemark.server.machine.PathText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Reads the configuration file into values by key, with the line of each; refuses keys that are no setting. */
final class YamlLayer {
    private final DocFile file;
    private final Map<String, Given> values = new LinkedHashMap<>();
    /** Where a value was given, by key: a second one is a mistake. */
    private final Map<String, DocNode.Field> places = new HashMap<>();

    private final Set<String> wrong = new TreeSet<>();
    private Optional<GraphDraft> graph = Optional.empty();
    private boolean graphUnderstood = true;

    private YamlLayer(DocFile file) {
        this.file = file;
    }

    /**
     * What a file says; an empty file says nothing.
     *
     * @param values by setting
     * @param graph the tiers, where it names them
     * @param graphUnderstood whether all of them was understood
     * @param wrong keys of settings that it says in a way that was not understood
     * @param readable whether it was read at all
     */
    record Content(
            Map<String, Given> values,
            Optional<GraphDraft> graph,
            boolean graphUnderstood,
            Set<String> wrong,
            boolean readable) {}

    /** Reads a file. Adds what is wrong with it to {@code problems}. */
    static Content read(Path path, Optional<Origin> namedBy, List<String> problems) {
        DocFile file = new DocFile(path, "YAML", namedBy, problems);
        YamlLayer layer = new YamlLayer(file);
        int before = problems.size();
        Optional<DocNode> root = file.read(new YAMLFactory());
        boolean readable = problems.size() == before;
        root.ifPresent(layer::document);
        return new Content(layer.values, layer.graph, layer.graphUnderstood, layer.wrong, readable);
    }

    /** Reads the file that is named so. */
    static Content read(Given name, List<String> problems) {
        Path path;
        try {
            path = PathText.read(name.text());
        } catch (IllegalArgumentException e) {
            problems.add(name.origin() + ": " + e.getMessage());
            return new Content(Map.of(), Optional.empty(), true, Set.of(), false);
        }
        return read(path, Optional.of(name.origin()), problems);
    }

    private void document(DocNode root) {
        switch (root) {
            case DocNode.Fields fields -> group(fields, "");
            case DocNode.Empty _ -> {}
            default -> file.problem(root.line(), "expected settings as 'key: value'");
        }
    }

    private void group(DocNode.Fields fields, String prefix) {
        for (DocNode.Field field : fields.fields()) {
            String key = prefix + field.name();
            if (key.equals(TierFields.TIERS)) {
                tiers(field);
                continue;
            }
            boolean setting = Settings.byKey(key).isPresent();
            boolean group =
                    Settings.all().stream().anyMatch(known -> known.key().startsWith(key + "."));
            if (!setting && !group) {
                unknown(key, field);
            } else if (group && field.value() instanceof DocNode.Fields inner) {
                group(inner, key + ".");
            } else if (group && !(field.value() instanceof DocNode.Empty)) {
                file.problem(field.line(), "'" + key + "' is a group of settings; expected keys under it");
                wrong(key);
            } else if (setting) {
                value(key, field);
            }
        }
    }

    private void unknown(String key, DocNode.Field field) {
        Optional<String> meant = Settings.byFlagWord(key)
                .map(Setting::key)
                .filter(_ -> !(field.value() instanceof DocNode.Fields)) // a group is no setting
                .or(() -> Nearest.to(key, knownKeys()));
        file.problem(
                field.line(),
                "unknown key '" + key + "'"
                        + meant.map(name -> "; did you mean '" + name + "'?").orElse(""));
        meant.ifPresent(this::wrong);
    }

    /** Neither the setting of this key nor those of the group can be judged. */
    private void wrong(String key) {
        Settings.all().stream()
                .map(Setting::key)
                .filter(known -> known.equals(key) || known.startsWith(key + "."))
                .forEach(wrong::add);
        graphUnderstood &= !key.equals(TierFields.TIERS);
    }

    private void tiers(DocNode.Field field) {
        int before = file.problems().size();
        requireOnce(TierFields.TIERS, field);
        graph = Optional.of(YamlTiers.read(file, field));
        graphUnderstood &= file.problems().size() == before;
    }

    private void value(String key, DocNode.Field field) {
        String text;
        switch (field.value()) {
            case DocNode.Scalar scalar -> text = scalar.text();
            case DocNode.Items list when key.equals(Settings.REDIS_LISTENERS.key()) -> text = listeners(list);
            case DocNode.Items list when Settings.byKey(key).stream().anyMatch(Setting::many) -> text = list(key, list);
            default -> {
                file.problem(
                        field.line(), "'" + key + "' has no usable value; expected one value on the line of its key");
                wrong(key);
                return;
            }
        }
        if (text.isEmpty() && field.value() instanceof DocNode.Items) {
            return; // an empty list says nothing
        }
        values.put(key, new Given(text, file.at(field.line())));
        requireOnce(key, field);
    }

    private void requireOnce(String key, DocNode.Field field) {
        DocNode.Field before = places.putIfAbsent(key, field);
        if (before != null) {
            file.twice("'" + key + "'", before, field);
        }
    }

    /** Turns a list of values into their text with commas. */
    private String list(String key, DocNode.Items list) {
        List<String> texts = new ArrayList<>();
        for (DocNode item : list.items()) {
            if (item instanceof DocNode.Scalar scalar) {
                texts.add(scalar.text());
            } else {
                file.problem(item.line(), "'" + key + "' holds something that is no value; expected a list of values");
                wrong(key);
            }
        }
        return String.join(",", texts);
    }

    /** Turns a list of objects into the text form of the same listeners; those that are wrong are left out, and told. */
    private String listeners(DocNode.Items list) {
        return list.items().stream().flatMap(item -> listener(item).stream()).collect(Collectors.joining(";"));
    }

    private Optional<String> listener(DocNode item) {
        if (!(item instanceof DocNode.Fields listener)) {
            listenerProblem(item.line(), "has to be an object, for example {port: 6400}");
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        for (DocNode.Field part : listener.fields()) {
            Optional<DocNode.Field> first = listener.before(part);
            if (first.isPresent()) {
                file.twice(Settings.REDIS_LISTENERS.key() + ": '" + part.name() + "'", first.get(), part);
                wrong(Settings.REDIS_LISTENERS.key());
                return Optional.empty();
            }
            if (!(part.value() instanceof DocNode.Scalar scalar)) {
                listenerProblem(part.line(), "'" + part.name() + "' has no usable value; expected one value");
                return Optional.empty();
            }
            parts.add(part.name() + "=" + scalar.text());
        }
        String text = String.join(",", parts);
        try {
            ListenerList.parse(text);
            return Optional.of(text);
        } catch (IllegalArgumentException e) {
            listenerProblem(listener.line(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void listenerProblem(int line, String text) {
        file.problem(line, Settings.REDIS_LISTENERS.key() + ": " + text);
        wrong(Settings.REDIS_LISTENERS.key());
    }

    private static Set<String> knownKeys() {
        Set<String> keys = new TreeSet<>(Set.of(TierFields.TIERS));
        for (Setting<?> setting : Settings.all()) {
            keys.add(setting.key());
            int dot = setting.key().indexOf('.');
            if (dot > 0) {
                keys.add(setting.key().substring(0, dot));
            }
        }
        return keys;
    }
}
