package io.tidemark.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the fields of one object of a file, and tells what is wrong with them, where. */
final class FieldReader {
    private final DocFile file;
    private final String what;
    private final DocNode.Fields node;

    /**
     * Refuses fields that are not known and those that stand there twice.
     *
     * @param what the object, for messages, for example {@code tier 'disk'}
     */
    FieldReader(DocFile file, String what, DocNode.Fields node, Set<String> known) {
        this.file = file;
        this.what = what;
        this.node = node;
        for (DocNode.Field field : node.fields()) {
            Optional<DocNode.Field> first = node.before(field);
            if (!known.contains(field.name())) {
                problem(
                        field.line(),
                        "unknown field '" + field.name() + "'; expected " + String.join(", ", new TreeSet<>(known))
                                + Nearest.hint(field.name(), known));
            } else if (first.isPresent()) {
                file.twice(what + ": '" + field.name() + "'", first.get(), field);
            }
        }
    }

    /** The value of a field; empty when it is not there, or wrong, which is then a problem. */
    <T> Optional<T> get(String name, ValueType<T> type) {
        return find(name).flatMap(field -> switch (field.value()) {
            case DocNode.Scalar scalar -> parse(field, scalar.text(), type);
            default -> wrong(field, type.form());
        });
    }

    /** As {@link #get}; a field that is missing is a problem too. */
    <T> Optional<T> require(String name, ValueType<T> type) {
        expect(name, type.form());
        return get(name, type);
    }

    /** As {@link #get}, where the file has to write the value in the given form. */
    <T> Optional<T> get(String name, DocNode.Form form, ValueType<T> type) {
        Optional<DocNode.Field> field = find(name);
        if (field.isPresent() && !(field.get().value() instanceof DocNode.Scalar scalar && scalar.form() == form)) {
            return wrong(
                    field.get(),
                    switch (form) {
                        case TEXT -> type.form() + " in quotes";
                        case NUMBER -> type.form();
                        case SWITCH -> "true or false";
                    });
        }
        return get(name, type);
    }

    /** The list in a field; empty when it is not there, or wrong, which is then a problem. */
    List<DocNode> list(String name) {
        return find(name)
                .flatMap(field -> field.value() instanceof DocNode.Items items
                        ? Optional.of(items.items())
                        : this.<List<DocNode>>wrong(field, "a list"))
                .orElse(List.of());
    }

    /** The object in a field; empty when it is not there, or wrong, which is then a problem. */
    Optional<DocNode.Fields> object(String name) {
        return find(name)
                .flatMap(field -> field.value() instanceof DocNode.Fields fields
                        ? Optional.of(fields)
                        : this.<DocNode.Fields>wrong(field, "an object"));
    }

    /** Tells when a field is missing. */
    void expect(String name, String form) {
        if (find(name).isEmpty()) {
            problem(node.line(), "'" + name + "' is missing; expected " + form);
        }
    }

    Optional<DocNode.Field> find(String name) {
        return node.find(name);
    }

    /** Where the object begins. */
    Origin at() {
        return file.at(node.line());
    }

    /** Where the first of these fields stands that is there, else where the object begins. */
    Origin at(String... names) {
        return Arrays.stream(names)
                .flatMap(name -> find(name).stream())
                .findFirst()
                .map(field -> file.at(field.line()))
                .orElseGet(this::at);
    }

    /** Something is wrong with a field, or with the whole object where that is missing. */
    void problem(String name, String text) {
        problem(find(name).map(DocNode.Field::line).orElse(node.line()), text);
    }

    private void problem(int line, String text) {
        file.problem(line, what + ": " + text);
    }

    private <T> Optional<T> parse(DocNode.Field field, String text, ValueType<T> type) {
        try {
            return Optional.of(type.parser().apply(text));
        } catch (IllegalArgumentException | ArithmeticException e) {
            problem(field.line(), field.name() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private <T> Optional<T> wrong(DocNode.Field field, String expected) {
        problem(field.line(), "'" + field.name() + "' has no usable value; expected " + expected);
        return Optional.empty();
    }
}
