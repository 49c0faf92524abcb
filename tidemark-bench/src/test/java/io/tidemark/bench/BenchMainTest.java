package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchMainTest {
    /** Descriptions are formats: of a bare percent sign picocli warns on stderr. */
    private static void renderAll(CommandLine command) {
        command.usage(new PrintWriter(Writer.nullWriter()));
        command.getSubcommands().values().forEach(BenchMainTest::renderAll);
    }

    @Test
    void noDescriptionHasABarePercentSign() {
        PrintStream before = System.err;
        ByteArrayOutputStream warnings = new ByteArrayOutputStream();
        System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
        try {
            renderAll(BenchMain.commandLine());
        } finally {
            System.setErr(before);
        }
        assertThat(warnings.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
