package io.tidemark.server.config;

import io.tidemark.server.machine.FileTrouble;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;

/**
 * A configuration file and what is wrong with it: every problem is told with file and line.
 *
 * @param kind what the text should be, for messages, for example {@code YAML}
 * @param namedBy the flag, variable or line that names it, where it is not the configuration file that it is told as
 * @param problems grows with what is found
 */
record DocFile(Path path, String kind, Optional<Origin> namedBy, List<String> problems) {
    /** What is longer was not written by hand: a device, or another kind of file. */
    private static final int MAX_BYTES = 1 << 20;

    /** What the file holds; empty when it holds nothing or could not be read, which is then a problem. */
    Optional<DocNode> read(TokenStreamFactory format) {
        if (Files.isDirectory(path)) {
            unread("it is a directory");
            return Optional.empty();
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            unread(e instanceof NoSuchFileException ? "no such file" : FileTrouble.reason(e));
            return Optional.empty();
        }
        if (bytes.length > MAX_BYTES) {
            unread("it is longer than " + ByteSize.exact(MAX_BYTES) + "; expected a " + kind + " file of settings");
            return Optional.empty();
        }
        return parsed(bytes, format);
    }

    private Optional<DocNode> parsed(byte[] bytes, TokenStreamFactory format) {
        try (JsonParser parser = format.createParser(ObjectReadContext.empty(), bytes)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            DocNode root = node(parser);
            if (parser.nextToken() != null) {
                problem(line(parser), "a second document; expected one");
            }
            return Optional.of(root);
        } catch (JacksonException e) {
            unreadable(e);
        }
        return Optional.empty();
    }

    private void unread(String why) {
        problems.add(namedBy.map(origin -> origin + ": cannot read ").orElse("cannot read configuration file ") + path
                + ": " + why);
    }

    private void unreadable(JacksonException e) {
        int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
        // what follows in brackets is the library's own idea of the place
        String text = e.getOriginalMessage()
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst(" \\((start marker|for Object|for Array).*", "");
        if (e.getCause() instanceof MarkedYamlEngineException marked) {
            // its own first line says what was being read; the problem and its line come after that
            line = marked.getProblemMark().map(mark -> mark.getLine() + 1).orElse(line);
            text = marked.getProblem();
        } else if (e.getCause() instanceof YamlVersionException other) {
            text = "it is of version " + other.getSpecVersion().getMajor() + "."
                    + other.getSpecVersion().getMinor() + "; expected 1.2";
        } else if (e.getCause() instanceof YamlEngineException cause) {
            text = String.valueOf(cause.getMessage()).lines().findFirst().orElse(text);
        }
        if (text.contains(CharConversionException.class.getName())) { // wrapped by the parser of YAML as text only
            text = "it is no text in UTF-8";
        }
        problem(line, "no " + kind + ": " + text);
    }

    private static DocNode node(JsonParser parser) {
        int line = line(parser);
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> fields(parser, line);
            case START_ARRAY -> items(parser, line);
            case VALUE_NULL -> new DocNode.Empty(line);
            case VALUE_TRUE, VALUE_FALSE -> new DocNode.Scalar(line, parser.getString(), DocNode.Form.SWITCH);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                new DocNode.Scalar(line, parser.getString(), DocNode.Form.NUMBER);
            default -> new DocNode.Scalar(line, parser.getString(), DocNode.Form.TEXT);
        };
    }

    private static DocNode fields(JsonParser parser, int line) {
        List<DocNode.Field> fields = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            TokenStreamLocation at = parser.currentTokenLocation();
            parser.nextToken();
            fields.add(new DocNode.Field(name, at.getLineNr(), at.getColumnNr(), node(parser)));
        }
        return new DocNode.Fields(line, List.copyOf(fields));
    }

    private static DocNode items(JsonParser parser, int line) {
        List<DocNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(parser));
        }
        return new DocNode.Items(line, List.copyOf(items));
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    void problem(int line, String text) {
        problems.add(path + ":" + line + ": " + text);
    }

    /** A name stands there a second time; on one line the columns tell the two apart. */
    void twice(String what, DocNode.Field first, DocNode.Field again) {
        String where = first.line() == again.line()
                ? " on this line, in columns " + first.column() + " and " + again.column()
                : "; first at " + at(first.line());
        problem(again.line(), what + " is given twice" + where);
    }

    Origin at(int line) {
        return new Origin.File(path, line);
    }
}
