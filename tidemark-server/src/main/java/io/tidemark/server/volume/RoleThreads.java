package io.tidemark.server.volume;

import io.tidemark.core.volume.VolumeConfig;
import io.tidemark.core.volume.VolumeSweeper;
import io.tidemark.core.volume.VolumeSweeper.RoleStep;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The threads of all roles of one sweeper, from their start to their end. Called from the main role only. */
final class RoleThreads {
    private static final long FOLDER_IDLE_MILLIS = 200;
    private static final long KEEPER_MILLIS = 100;

    private final VolumeSweeper sweeper;
    private final VolumeLog log;
    private final BooleanSupplier stopping;
    private final List<RoleThread> roles = new ArrayList<>();

    RoleThreads(VolumeSweeper sweeper, VolumeLog log, BooleanSupplier stopping) {
        this.sweeper = sweeper;
        this.log = log;
        this.stopping = stopping;
    }

    /** Starts all, and tells each. */
    void start(VolumeConfig config, StartLines lines) {
        int n = config.crawlers();
        for (int i = 0; i < n; i++) {
            int number = i;
            lines.crawlerStarted(i);
            start("crawler_" + (i + 1), i + 1, () -> sweeper.crawler(number));
        }
        start("activator", n + 1, () -> sweeper::activatorStep);
        lines.activatorStarted();
        for (int i = 0; i < config.deletersMax(); i++) {
            int number = i;
            start("deleter", n + 2, () -> sweeper.deleter(number));
        }
        lines.deleterStarted();
        start("conductor", 0, () -> sweeper::conductorStep);
        start("keeper", 0, () -> () -> {
            sweeper.keeperStep();
            TimeUnit.MILLISECONDS.sleep(KEEPER_MILLIS);
        });
        if (config.folderCleaning()) {
            start("folder_cleaner", n + 3, () -> () -> {
                if (!sweeper.folderStep()) {
                    TimeUnit.MILLISECONDS.sleep(FOLDER_IDLE_MILLIS);
                }
            });
            lines.folderCleanerStarted();
        }
    }

    private void start(String name, int process, Supplier<RoleStep> role) {
        roles.add(new RoleThread(name, process, role, stopping, log));
    }

    /** Starts the roles again that have died. */
    void reviveDead() {
        roles.forEach(RoleThread::reviveIfDead);
    }

    /**
     * Ends all, waits for them until this moment of {@link System#nanoTime}, and gives the leases up. Who is stuck in the kernel
     * stays there.
     */
    void stop(long untilNanos) throws InterruptedException {
        sweeper.stop();
        roles.forEach(RoleThread::interrupt);
        for (RoleThread role : roles) {
            role.join(untilNanos);
        }
        // on a thread that may be left behind when the volume hangs
        Thread releasing = Thread.ofPlatform().daemon().name("volume-release").start(sweeper::release);
        releasing.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime())));
    }
}
