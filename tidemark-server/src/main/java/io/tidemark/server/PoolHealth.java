package io.tidemark.server;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.ThreadHealth;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a pool does. What only a new process cures is its sickness; what it goes on without, a device that fails or a move that
 * waits for one, is only told: a restart would not bring the device back.
 *
 * @param threads of the pool
 * @param backends of the pool
 */
record PoolHealth(List<ThreadHealth> threads, List<BackendStatus> backends) {
    /** A thread that ends no turn for so long hangs. */
    static final long STILL_MILLIS_MAX = 30_000;

    /** Threads that wait for devices are called so. */
    private static final String MOVER = "tidemark-move-";

    static PoolHealth of(Pool pool) {
        return new PoolHealth(pool.threads(), pool.status().backends());
    }

    /** What makes the process useless; nothing while its threads turn. */
    Optional<String> sickness() {
        return threads.stream()
                .filter(thread -> !thread.alive() || (isStill(thread) && !isMover(thread)))
                .map(PoolHealth::shown)
                .findFirst();
    }

    /** What is out of order while the rest serves. */
    List<String> losses() {
        Stream<String> devices = backends.stream()
                .filter(backend -> !backend.illness().isEmpty())
                .map(backend -> backend.backend() + " is out of use: " + backend.illness());
        Stream<String> movers = threads.stream()
                .filter(thread -> thread.alive() && isStill(thread) && isMover(thread))
                .map(PoolHealth::shown);
        return Stream.concat(devices, movers).toList();
    }

    private static boolean isStill(ThreadHealth thread) {
        return thread.sinceTurnMillis() > STILL_MILLIS_MAX;
    }

    private static boolean isMover(ThreadHealth thread) {
        return thread.name().startsWith(MOVER);
    }

    private static String shown(ThreadHealth thread) {
        return thread.alive()
                ? thread.name() + " has ended no turn for " + thread.sinceTurnMillis() / 1_000 + " s ("
                        + thread.failures() + " failures)"
                : thread.name() + " has ended";
    }
}
