package io.tidemark.server.resp.command;

import io.tidemark.core.medium.Workers;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.TierConfig;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what takes too long for an event loop, in lanes with a bounded queue each: one for every device, so that one
 * that hangs holds up nobody who does not need it; one for what concerns several devices or a move between tiers; and one
 * for what goes over the whole pool.
 */
public final class Jobs implements AutoCloseable {
    /** The lane of commands whose blocks are on several devices, or on their way to one. */
    static final String SEVERAL = "several";
    /** The lane of FLUSHALL. */
    static final String WHOLE = "whole";

    private static final int THREADS = 4;

    private final Map<String, Workers> lanes = new LinkedHashMap<>();

    /**
     * Lanes for the devices of a pool: every backend below the first tier.
     *
     * @param queued jobs that may wait in each lane
     */
    public Jobs(Pool pool, int queued) {
        this(
                pool.config().tiers().stream()
                        .skip(1)
                        .map(TierConfig::members)
                        .flatMap(List::stream)
                        .map(member -> member.medium().name())
                        .toList(),
                queued);
    }

    Jobs(List<String> devices, int queued) {
        devices.forEach(device -> lanes.put("device " + device, lane(THREADS, queued)));
        lanes.put(SEVERAL, lane(THREADS, queued));
        lanes.put(WHOLE, lane(1, queued));
    }

    private static Workers lane(int threads, int queued) {
        return new Workers(threads, queued, "tidemark-resp-jobs-");
    }

    /** The lane of what waits for these devices; throws {@code RejectedExecutionException} where it takes no more. */
    Executor forDevices(Collection<String> devices) {
        return devices.size() == 1 ? lane("device " + devices.iterator().next()) : lane(SEVERAL);
    }

    /** The lane of what goes over the whole pool. */
    public Executor forWhole() {
        return lane(WHOLE);
    }

    private Workers lane(String name) {
        Workers lane = lanes.get(name);
        if (lane == null) {
            throw new IllegalArgumentException("no lane '" + name + "', expected one of " + lanes.keySet());
        }
        return lane;
    }

    /** Jobs that wait for a thread now. */
    public int waiting() {
        return lanes.values().stream().mapToInt(lane -> lane.waiting()).sum();
    }

    /** Jobs that a thread is at work for now. */
    public int running() {
        return lanes.values().stream().mapToInt(Workers::running).sum();
    }

    /** Shows how many jobs wait and run in each lane. */
    public void show(CounterVisitor visitor) {
        lanes.forEach((name, lane) -> {
            visitor.gauge(
                    "tidemark_resp_waiting_jobs",
                    "Commands that wait for a thread beside the event loops.",
                    lane.waiting(),
                    "lane",
                    name);
            visitor.gauge(
                    "tidemark_resp_running_jobs",
                    "Commands that run beside the event loops.",
                    lane.running(),
                    "lane",
                    name);
        });
    }

    /** Starts no job any more, and interrupts those that run. Idempotent. */
    @Override
    public void close() {
        lanes.values().forEach(Workers::stop);
    }

    /** Waits for what was running; whether all of it has ended in time. */
    public boolean awaitEnd(long timeoutMillis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean ended = true;
        for (Workers lane : lanes.values()) {
            ended &= lane.awaitEnd(Math.max(end - System.nanoTime(), 1));
        }
        return ended;
    }
}
