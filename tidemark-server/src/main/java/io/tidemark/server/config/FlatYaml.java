package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Reads a YAML file of names with one value each, at its top or under one group; every problem has its line. */
public final class FlatYaml {
    private FlatYaml() {}

    /** A name with its value, and the line of the name; the first is 1. */
    public record Entry(String name, String text, int line) {}

    /**
     * What a file says; an empty file says nothing.
     *
     * @param group name that the values may stand under
     * @param known names that are known; others are problems
     * @param problems grows with what is wrong, each with file and line
     */
    public static List<Entry> read(Path path, String group, Collection<String> known, List<String> problems) {
        DocFile file = new DocFile(path, "YAML", Optional.empty(), problems);
        List<Entry> entries = new ArrayList<>();
        file.read(new YAMLFactory()).ifPresent(root -> collect(inner(root, group, file), known, file, entries));
        return entries;
    }

    private static DocNode inner(DocNode root, String group, DocFile file) {
        if (root instanceof DocNode.Fields fields && fields.find(group).isPresent()) {
            DocNode.Field first = fields.find(group).get();
            fields.fields().stream()
                    .filter(field ->
                            field.name().equals(group) && fields.before(field).isPresent())
                    .forEach(again -> file.twice("'" + group + "'", first, again));
            return first.value();
        }
        return root;
    }

    private static void collect(DocNode node, Collection<String> known, DocFile file, List<Entry> entries) {
        switch (node) {
            case DocNode.Fields fields -> {
                for (DocNode.Field field : fields.fields()) {
                    Optional<DocNode.Field> first = fields.before(field);
                    if (first.isPresent()) {
                        file.twice("'" + field.name() + "'", first.get(), field);
                    } else {
                        entry(field, known, file, entries);
                    }
                }
            }
            case DocNode.Empty _ -> {}
            default -> file.problem(node.line(), "expected settings as 'key: value'");
        }
    }

    private static void entry(DocNode.Field field, Collection<String> known, DocFile file, List<Entry> entries) {
        if (!known.contains(field.name())) {
            file.problem(field.line(), "unknown key '" + field.name() + "'" + Nearest.hint(field.name(), known));
            return;
        }
        switch (field.value()) {
            case DocNode.Scalar scalar -> entries.add(new Entry(field.name(), scalar.text(), field.line()));
            case DocNode.Empty _ -> entries.add(new Entry(field.name(), "", field.line()));
            default -> file.problem(field.line(), "'" + field.name() + "' expects one value");
        }
    }
}
