package io.tidemark.server.config;

import java.util.List;
import java.util.Optional;

/** A value in a configuration file, as it was written, with the line where it begins; the first line is 1. */
sealed interface DocNode {
    int line();

    /** What a scalar looks like; only JSON makes people tell these apart. */
    enum Form {
        TEXT,
        NUMBER,
        SWITCH
    }

    /** A word, a number, true or false. */
    record Scalar(int line, String text, Form form) implements DocNode {}

    /** A list. */
    record Items(int line, List<DocNode> items) implements DocNode {}

    /** Names with values, in the order of the file; a name may stand there twice. */
    record Fields(int line, List<Field> fields) implements DocNode {
        /** The first field of this name. */
        Optional<Field> find(String name) {
            return fields.stream().filter(field -> field.name().equals(name)).findFirst();
        }

        /** The first field of the name of this one, where that is another one. */
        Optional<Field> before(Field field) {
            return find(field.name()).filter(first -> first.line() != field.line() || first.column() != field.column());
        }
    }

    /** Nothing: a name without a value, or {@code null}. */
    record Empty(int line) implements DocNode {}

    /** A name with its value, and where the name begins; the first column is 1. */
    record Field(String name, int line, int column, DocNode value) {}
}
