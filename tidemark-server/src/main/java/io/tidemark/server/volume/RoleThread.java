package io.tidemark.server.volume;

import io.tidemark.core.volume.VolumeSweeper.RoleStep;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One role of the process as a daemon thread: makes its step until the process stops. When the step fails the thread
 * ends, and {@link #reviveIfDead} starts another with a new step. Called from the main role only.
 */
final class RoleThread {
    private final String name;
    private final int process;
    private final Supplier<RoleStep> role;
    private final BooleanSupplier stopping;
    private final VolumeLog log;
    private Thread thread;
    private long restarts;

    RoleThread(String name, int process, Supplier<RoleStep> role, BooleanSupplier stopping, VolumeLog log) {
        this.name = name;
        this.process = process;
        this.role = role;
        this.stopping = stopping;
        this.log = log;
        this.thread = start();
    }

    private Thread start() {
        return Thread.ofPlatform().daemon().name("volume-" + name).start(this::run);
    }

    private void run() {
        try {
            RoleStep step = role.get();
            while (!stopping.getAsBoolean()) {
                step.run();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            StackTraceElement[] at = e.getStackTrace();
            log.line(process, name, "ERROR", "died: " + e + (at.length == 0 ? "" : " at " + at[0]));
        }
    }

    /** Starts the role again if it has died. */
    void reviveIfDead() {
        if (!thread.isAlive() && !stopping.getAsBoolean()) {
            restarts++;
            log.main("WARNING", "Restarting " + name + " P" + process);
            thread = start();
        }
    }

    long restarts() {
        return restarts;
    }

    /** Waits until a moment of {@link System#nanoTime}, no longer than that. */
    void join(long untilNanos) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        if (left > 0) {
            thread.join(left);
        }
    }

    /** Ends what the role waits for; a thread stuck in the kernel stays there. */
    void interrupt() {
        thread.interrupt();
    }
}
