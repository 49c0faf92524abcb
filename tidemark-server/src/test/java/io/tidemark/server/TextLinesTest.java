package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TextLinesTest {
    private final LoggerContext context = new LoggerContext();
    private final TextLines lines = new TextLines();

    private LoggingEvent event(String logger, Level level, Instant when, @Nullable Throwable thrown) {
        LoggingEvent event = new LoggingEvent(
                "caller", context.getLogger(logger), level, "took {} ms of ü", thrown, new Object[] {7});
        event.setThreadName("tidemark-resp-0");
        event.setInstant(when);
        return event;
    }

    /** What the pattern that these lines had at first makes of it. */
    private String byPattern(LoggingEvent event) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0}: %msg%n");
        encoder.start();
        return new String(encoder.encode(event), Charset.defaultCharset());
    }

    @Test
    void linesAreThoseOfThePattern() {
        for (Level level : List.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE)) {
            for (String when : List.of(
                    "2026-11-30T17:05:09.120Z",
                    "2026-06-01T00:00:00Z",
                    "0999-01-02T03:04:05.006Z",
                    "2026-02-28T23:59:59.999999999Z")) {
                for (String logger : List.of("io.tidemark.server.cli.Serving", "Short", "a.")) {
                    LoggingEvent event = event(logger, level, Instant.parse(when), null);

                    assertThat(lines.line(event)).isEqualTo(byPattern(event));
                }
            }
        }
    }

    @Test
    void whatWasThrownStandsBelowWithItsCauses() {
        IOException thrown = new IOException("outer", new IllegalStateException("inner"));
        thrown.addSuppressed(new IOException("beside"));
        LoggingEvent event = event("io.tidemark.server.Logging", Level.ERROR, Instant.EPOCH, thrown);

        assertThat(lines.line(event))
                .isEqualTo(byPattern(event))
                .contains("\tat ", "Caused by: java.lang.IllegalStateException: inner", "Suppressed: ");
    }

    @Test
    void timesTellTheirOffset() {
        LoggingEvent event = event("Short", Level.INFO, Instant.parse("2026-11-30T17:05:09.120Z"), null);

        String time = lines.line(event).split(" ", 2)[0];

        assertThat(OffsetDateTime.parse(time).toInstant()).isEqualTo(event.getInstant());
        assertThat(new String(lines.encode(event), Charset.defaultCharset())).isEqualTo(lines.line(event));
    }
}
