package io.tidemark.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.Charset;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/**
 * A log line as text, for example {@code 2026-11-30T17:05:09.120+01:00 INFO  [main] Serving: stopped}, in the zone of the
 * machine, with the stack of what was thrown below it. Written out here and not as a pattern of the logging library: what
 * makes sense of patterns and of formats of time is a good part of a start.
 */
final class TextLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    /** Levels are padded to this length. */
    private static final int LEVEL_CHARS = 5;

    private final ZoneId zone = ZoneId.systemDefault();

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return line(event).getBytes(Charset.defaultCharset());
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    String line(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160);
        append(line, event.getInstant().atZone(zone).toOffsetDateTime());
        String level = event.getLevel().toString();
        line.append(' ').append(level).repeat(' ', Math.max(0, LEVEL_CHARS - level.length()));
        line.append(" [").append(event.getThreadName()).append("] ");
        String logger = event.getLoggerName();
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length());
        line.append(": ").append(event.getFormattedMessage()).append(System.lineSeparator());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.append(ThrowableProxyUtil.asString(thrown));
        }
        return line.toString();
    }

    private static void append(StringBuilder line, OffsetDateTime time) {
        append(line, time.getYear(), 4, '-');
        append(line, time.getMonthValue(), 2, '-');
        append(line, time.getDayOfMonth(), 2, 'T');
        append(line, time.getHour(), 2, ':');
        append(line, time.getMinute(), 2, ':');
        append(line, time.getSecond(), 2, '.');
        append(line, time.getNano() / 1_000_000, 3);
        line.append(time.getOffset().getId());
    }

    private static void append(StringBuilder line, int number, int digits, char behind) {
        append(line, number, digits);
        line.append(behind);
    }

    private static void append(StringBuilder line, int number, int digits) {
        String text = Integer.toString(number);
        line.repeat('0', digits - text.length()).append(text);
    }
}
