package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The part of a document between {@code <!-- generated -->}, or {@code <!-- generated: NAME -->} where there are several,
 * and {@code <!-- end -->}, which a test keeps equal to the code. Run the test with {@code -Dtidemark.docs.write=true} to write it anew.
 */
public final class GeneratedPart {
    private static final String END = "<!-- end -->";

    private GeneratedPart() {}

    /** Asserts that the generated part of a document, named from the root of the repository, is this text. */
    public static void assertEquals(String document, String text) throws IOException {
        assertPart(document, "<!-- generated -->\n", text);
    }

    /** Asserts that the generated part of this name is this text. */
    public static void assertEquals(String document, String name, String text) throws IOException {
        assertPart(document, "<!-- generated: " + name + " -->\n", text);
    }

    private static void assertPart(String document, String marker, String text) throws IOException {
        Path file = Path.of(Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."))
                .resolve(document);
        String whole = Files.readString(file);
        int begin = whole.indexOf(marker) + marker.length();
        int end = whole.indexOf(END, begin);
        assertThat(begin).as("marker in " + document).isGreaterThanOrEqualTo(marker.length());
        assertThat(end).as("end marker in " + document).isPositive();
        if (Boolean.getBoolean("tidemark.docs.write")) {
            Files.writeString(file, whole.substring(0, begin) + text + whole.substring(end));
            return;
        }
        assertThat(whole.substring(begin, end))
                .as(document + " differs from the code; -Dtidemark.docs.write=true writes it anew")
                .isEqualTo(text);
    }
}
