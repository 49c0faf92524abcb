package io.tidemark.server;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A log line as one JSON object: {@code level}, {@code threadName}, {@code loggerName}, {@code formattedMessage},
 * {@code throwable} (null without one) and {@code time}, in UTC. What a collector cannot use is left out.
 */
final class JsonLines extends JsonEncoder {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    JsonLines() {
        setWithFormattedMessage(true);
        setWithMessage(false);
        setWithArguments(false);
        setWithTimestamp(false); // milliseconds of the epoch: see time
        setWithNanoseconds(false);
        setWithSequenceNumber(false);
        setWithContext(false);
        setWithMarkers(false);
        setWithMDC(false);
        setWithKVPList(false);
    }

    @Override
    protected void appendCustomFields(StringBuilder line, ILoggingEvent event) {
        line.append(',');
        appenderMember(line, "time", TIME.format(event.getInstant()));
    }
}
