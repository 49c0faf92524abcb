package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A stop that does not come to its end; {@code HungFileSystemProcessTest} reads what the log says of a real one. */
class ShutdownTest {
    private static final long SECONDS_MAX = 30;

    private final CountDownLatch halted = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);

    private boolean comes(CountDownLatch what) throws InterruptedException {
        return what.await(SECONDS_MAX, TimeUnit.SECONDS);
    }

    @Test
    void whoKnowsWhatAStopIsAtIsAskedWhenItIsCutShort() throws InterruptedException {
        Shutdown shutdown = Shutdown.watched(halted::countDown);
        shutdown.toldBy(() -> {
            asked.countDown();
            return "the test was under way";
        });
        shutdown.signalled();
        assertThat(comes(halted)).isTrue();
        assertThat(comes(asked)).isTrue();
    }

    @Test
    void whoIsAskedAndFailsOrHangsKeepsNoProcess() throws InterruptedException {
        CountDownLatch until = new CountDownLatch(1);
        Shutdown shutdown = Shutdown.watched(halted::countDown);
        shutdown.toldBy(() -> {
            asked.countDown();
            try {
                until.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("the test let go");
        });
        shutdown.signalled();
        assertThat(comes(halted)).isTrue();
        until.countDown();
    }

    @Test
    void aStopThatIsDoneNeedsNobodyToTellOfIt() throws InterruptedException {
        Shutdown shutdown = Shutdown.watched(halted::countDown);
        shutdown.toldBy(() -> {
            asked.countDown();
            return "";
        });
        shutdown.signalled();
        shutdown.done();
        assertThat(comes(halted)).isTrue();
        assertThat(asked.getCount()).isOne();
    }
}
