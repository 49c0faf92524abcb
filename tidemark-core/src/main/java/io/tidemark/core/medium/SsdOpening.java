package io.tidemark.core.medium;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * An SSD medium that is being opened, by a thread of its own: several devices open side by side, and one that hangs holds
 * up nobody for longer than its caller says. Exactly one of {@link #standIn}, {@link #abandon} and the use of an opened
 * medium ends it.
 */
public final class SsdOpening {
    /** Pause between two tries to open a device that failed. */
    private static final long RETRY_MILLIS = 5_000;

    /** What a device answers that is broken, away, or held by a process that may end. */
    private static final Set<Integer> TROUBLE =
            Set.of(Errno.EIO, Errno.ENXIO, Errno.EAGAIN, Errno.ENODEV, Errno.ETIMEDOUT, Errno.ESTALE, Errno.EUCLEAN);

    private final Sys sys;
    private final SsdOptions options;
    private final CompletableFuture<SsdMedium> opened = new CompletableFuture<>();

    private SsdOpening(Sys sys, SsdOptions options) {
        this.sys = sys;
        this.options = options;
    }

    /** What came of it. Asked for by {@code instanceof} (ADR 10): the compiler does not name the places for a new kind. */
    public sealed interface Outcome {
        /** It is there. */
        record Opened(SsdMedium medium) implements Outcome {}

        /** The directory cannot be used as it is configured; trying again changes nothing. */
        record Refused(IOException why) implements Outcome {}

        /** The device fails or does not answer, another process holds it, or its blocks are somebody else's. */
        record Broken(String why) implements Outcome {}
    }

    /** Begins to open. */
    public static SsdOpening begin(Sys sys, SsdOptions options) {
        SsdOpening opening = new SsdOpening(sys, options);
        Thread.ofPlatform().daemon().name("tidemark-open-" + options.name()).start(opening::run);
        return opening;
    }

    private void run() {
        try {
            opened.complete(SsdMedium.open(sys, options));
        } catch (IOException | RuntimeException | Error e) { // thrown on where the outcome is asked for
            opened.completeExceptionally(e);
        }
    }

    /** Whether the outcome is there. */
    public boolean isOver() {
        return opened.isDone();
    }

    /** Waits for the outcome until this moment of {@link System#nanoTime}. */
    public Outcome await(long untilNanos) {
        try {
            return new Outcome.Opened(opened.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            return new Outcome.Broken("the device does not answer");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Outcome.Broken("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                return isTrouble(failed)
                        ? new Outcome.Broken(String.valueOf(failed.getMessage()))
                        : new Outcome.Refused(failed);
            }
            throw new IllegalStateException(options.name() + " cannot be opened", e.getCause());
        }
    }

    /** Whether this is no fault of the configuration: the server goes on without the directory where another one works. */
    static boolean isTrouble(Throwable failed) {
        if (failed instanceof LeftAloneException) {
            return true;
        }
        if (failed instanceof SysException call) {
            return TROUBLE.contains(call.errno());
        }
        return failed.getCause() != null && isTrouble(failed.getCause());
    }

    /**
     * A medium in the place of one that is {@link Outcome.Broken}: out of use, and tried again every few seconds. What
     * lies in the directory is discarded then, if it is its owner's.
     *
     * @param why shown as its illness
     * @param prepare is given the medium before it is used
     */
    public Medium standIn(String why, Consumer<SsdMedium> prepare) {
        return standIn(why, prepare, RETRY_MILLIS);
    }

    /** As {@link #standIn(String, Consumer)}, with this pause between tries. */
    Medium standIn(String why, Consumer<SsdMedium> prepare, long pauseMillis) {
        return new ReopeningMedium(sys, options, why, opened, prepare, pauseMillis);
    }

    /** Closes what it opened, now or later. */
    public void abandon() {
        var _ = opened.thenAccept(SsdMedium::close);
    }
}
