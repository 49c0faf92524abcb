package io.tidemark.server.resp.wire;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs while a test looks. */
final class LogTail implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();

    private LogTail(Logger logger) {
        this.logger = logger;
        events.start();
        logger.addAppender(events);
    }

    static LogTail of(Class<?> source) {
        return new LogTail((Logger) LoggerFactory.getLogger(source));
    }

    /** The errors so far. */
    List<String> errors() {
        return of(Level.ERROR);
    }

    /** The warnings so far. */
    List<String> warnings() {
        return of(Level.WARN);
    }

    private List<String> of(Level level) {
        return List.copyOf(events.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(events);
    }
}
