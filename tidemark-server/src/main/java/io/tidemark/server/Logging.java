package io.tidemark.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.tidemark.server.config.TidemarkConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

/**
 * The log: to stderr, warnings only until a server says otherwise. Found by the logging library through
 * {@code META-INF/services}, so that no command ever logs to stdout. What the core and the JDK log through
 * {@link System.Logger} comes here too, by the bridge on the class path.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final long MAKING_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    @Override
    public ExecutionStatus configure(LoggerContext logging) {
        apply(logging, Level.WARN, false);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Logs as a server's configuration says. */
    public static void configure(TidemarkConfig.Log log) {
        apply(made(LoggerFactory::getILoggerFactory, MAKING_NANOS_MAX), Level.toLevel(log.level()), log.json());
    }

    /**
     * The logging library, once it is made. Another thread may be about it: that of a signal, ours or the JVM's, whose way
     * out is logged too.
     */
    static LoggerContext made(Supplier<ILoggerFactory> library, long nanosMax) {
        long began = System.nanoTime();
        ILoggerFactory found = library.get();
        while (found instanceof SubstituteLoggerFactory && System.nanoTime() - began < nanosMax) {
            LockSupport.parkNanos(POLL_NANOS);
            found = library.get();
        }
        if (found instanceof LoggerContext context) {
            return context;
        }
        throw new IllegalStateException(
                found instanceof SubstituteLoggerFactory
                        ? "waited " + TimeUnit.NANOSECONDS.toMillis(nanosMax)
                                + " ms for the thread that makes the logging library; expected it to be there by then"
                        : "the logging library is " + found.getClass().getName() + "; expected "
                                + LoggerContext.class.getName());
    }

    private static void apply(LoggerContext context, Level level, boolean json) {
        Encoder<ILoggingEvent> encoder = json ? new JsonLines() : new TextLines();
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
}
