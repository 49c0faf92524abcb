package io.tidemark.server;

import io.tidemark.server.machine.ExitTimer;
import io.tidemark.server.machine.Signals;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns signals into an end of the process within {@value #LIMIT_MILLIS} ms, whatever hangs: the first SIGTERM or
 * SIGINT asks for a stop and wakes a watchdog, a second one leaves the watchdog {@value #HURRY_MILLIS} ms. SIGHUP is
 * logged and does nothing.
 *
 * <p>The watchdog and who tells of a stop that was cut short are threads that wait from the start on: when a stop does not
 * come to its end, a thread may be what is not to be had. Where the JVM itself does not end, a timer of the kernel ends it
 * after {@value #LAST_MILLIS} ms.
 *
 * <p>The process ends with exit code 0 in every case. Being told to stop is no failure, and nothing needs the time that
 * was cut off: kill -9 at any moment is as good.
 */
public final class Shutdown {
    /** The JVM waits up to 300 ms more for a thread that is in the kernel: both are to end within 2 s. */
    static final long LIMIT_MILLIS = 1_400;

    static final long HURRY_MILLIS = 100;

    /** Later than the watchdog with all that it waits for, unless the JVM waits for something. */
    private static final long LAST_MILLIS = 1_850;

    /** What keeps the stop may keep who tells of it too: a lock, or whoever reads the log. */
    private static final long TELL_MILLIS = 100;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch watched = new CountDownLatch(1);
    private final CountDownLatch hurried = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch cutShort = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final Runnable halt;
    private volatile Supplier<String> unfinished = () -> "the start was under way";
    private volatile Optional<ExitTimer> last = Optional.empty();

    private Shutdown(Runnable halt) {
        this.halt = halt;
    }

    /** Whose stop is watched over once a signal comes; {@code halt} ends the process at once. */
    static Shutdown watched(Runnable halt) {
        Shutdown shutdown = new Shutdown(halt);
        Thread.ofPlatform().daemon().name("shutdown-watchdog").start(shutdown::watch);
        Thread.ofPlatform().daemon().name("shutdown-teller").start(shutdown::tellWhenCutShort);
        return shutdown;
    }

    /** Of this process. Its signals are listened to from the first call on. */
    public static Shutdown onSignals() {
        return OfThisProcess.SHUTDOWN;
    }

    /** Of a server in a process that goes on after it: nothing but {@link #request} asks for it. */
    public static Shutdown byHand() {
        return new Shutdown(() -> {});
    }

    private static final class OfThisProcess {
        static final Shutdown SHUTDOWN =
                Shutdown.watched(() -> Runtime.getRuntime().halt(0));

        static {
            Signals.listen("TERM", SHUTDOWN::signalled);
            Signals.listen("INT", SHUTDOWN::signalled);
            Signals.listen("HUP", Shutdown::hangUp);
        }
    }

    /** Makes the timer that ends this process where the JVM does not: takes longer than to listen to the signals. */
    public void prepareTimer() {
        last = ExitTimer.make();
    }

    /** Sent by those who expect a reload, and by a session that ends: neither means that the cache is to go. */
    private static void hangUp() {
        log().warn("SIGHUP has no effect: certificates are taken up by themselves, other settings with a restart;"
                + " SIGTERM stops the server");
    }

    /** Not a field: the signals are to be listened to before the log is there, which takes the larger part of a start. */
    private static Logger log() {
        return LoggerFactory.getLogger(Shutdown.class);
    }

    /** Who knows what a stop is at that does not come to its end, and what that means. */
    public void toldBy(Supplier<String> stop) {
        unfinished = stop;
    }

    /** Asks for the stop, as a signal does, without watching over it. */
    public void request() {
        asked.countDown();
    }

    /** Whether the process was told to stop. */
    public boolean requested() {
        return asked.getCount() == 0;
    }

    /** Waits, for as long as it takes, until the process is told to stop. */
    public void await() throws InterruptedException {
        asked.await();
    }

    /** The stop is complete: only leaving the JVM is left, which the watchdog still sees to. */
    public void done() {
        stopped.countDown();
    }

    /** A signal came. */
    void signalled() {
        if (requested()) {
            hurried.countDown();
            return;
        }
        last.ifPresent(timer -> timer.endIn(LAST_MILLIS));
        watched.countDown();
        asked.countDown();
        log().info("told to stop");
    }

    private void watch() {
        try {
            watched.await();
            if (hurried.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
                stopped.await(HURRY_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (stopped.getCount() > 0) {
                cutShort.countDown();
                told.await(TELL_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            // nobody interrupts this thread; were it so, leaving at once is right
        } finally {
            halt.run();
        }
    }

    private void tellWhenCutShort() {
        try {
            cutShort.await();
            tellUnfinished();
        } catch (InterruptedException _) {
            // as above
        } finally {
            told.countDown();
        }
    }

    private void tellUnfinished() {
        String at;
        try {
            at = unfinished.get();
        } catch (RuntimeException e) { // what it looks at is half closed
            at = "what it was at cannot be told, " + e;
        }
        log().warn(
                        "the stop was cut short: {}. Start it again as after a kill -9, nothing has to be repaired. If stops keep ending"
                                + " like this, look for what does not answer: a device or file system that hangs shows in dmesg, a slow"
                                + " one in tidemark doctor",
                        at);
    }
}
