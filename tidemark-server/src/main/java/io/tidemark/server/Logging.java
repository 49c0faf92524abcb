package io.tidemark.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.tidemark.server.config.TidemarkConfig;
import org.slf4j.LoggerFactory;

/**
 * The log: to stderr, warnings only until a server says otherwise. Found by the logging library through
 * {@code META-INF/services}, so that no command ever logs to stdout. What the core and the JDK log through
 * {@link System.Logger} comes here too, by the bridge on the class path.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0}: %msg%n";

    @Override
    public ExecutionStatus configure(LoggerContext logging) {
        apply(logging, Level.WARN, false);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Logs as a server's configuration says. */
    public static void configure(TidemarkConfig.Log log) {
        apply((LoggerContext) LoggerFactory.getILoggerFactory(), Level.toLevel(log.level()), log.json());
    }

    private static void apply(LoggerContext context, Level level, boolean json) {
        Encoder<ILoggingEvent> encoder = json ? new JsonLines() : text();
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(appender);
        root.setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
        context.getLogger("io.tidemark").setLevel(level);
    }

    private static PatternLayoutEncoder text() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(PATTERN);
        return encoder;
    }
}
