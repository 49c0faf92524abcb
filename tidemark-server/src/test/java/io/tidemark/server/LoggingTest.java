package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

class LoggingTest {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void aLibraryThatAnotherThreadIsMakingIsWaitedFor() {
        LoggerContext made = new LoggerContext();
        Queue<ILoggerFactory> answers =
                new ArrayDeque<>(List.of(new SubstituteLoggerFactory(), new SubstituteLoggerFactory(), made));
        assertThat(Logging.made(answers::remove, TimeUnit.MINUTES.toNanos(1))).isSameAs(made);
        assertThat(answers).isEmpty();
    }

    @Test
    void aLibraryThatIsNeverMadeIsToldAsWhatWasWaitedFor() {
        assertThatThrownBy(() -> Logging.made(SubstituteLoggerFactory::new, SHORT_NANOS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "waited 20 ms for the thread that makes the logging library; expected it to be there by then");
    }

    @Test
    void anotherLibraryIsNamed() {
        assertThatThrownBy(() -> Logging.made(NOPLoggerFactory::new, SHORT_NANOS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the logging library is org.slf4j.helpers.NOPLoggerFactory; expected "
                        + LoggerContext.class.getName());
    }
}
