package io.tidemark.server;

import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.SsdIdentity;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOpening;
import io.tidemark.core.medium.SsdOpening.Outcome;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.medium.Sys;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.machine.StoragePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens all SSD directories side by side. One that fails, hangs or is held by another process is left out while another one
 * works, and is tried again; what is wrong with the configuration stops the start, and so does a failure of all. Used by one thread.
 */
final class SsdStart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SsdStart.class);

    /**
     * A device that has not answered after so long hangs. Recovery reads 1/64 of a capacity, so large ones get more; and a
     * machine on which everything starts at once is slow, which must not look like a device that hangs.
     */
    private static final long OPEN_MILLIS_MAX = 30_000;

    /** How often it is asked whether the server is to stop instead. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The state directory hangs where it has not come to its end so long after a close. */
    private static final long CLOSE_MILLIS_MAX = 1_000;

    /** A second more for each of these. */
    private static final long BYTES_A_SECOND = 16L << 30;

    private final Sys sys;
    private final UsedDirectories used;
    private final Executor beside;
    private final Map<TierPlan.Ssd, SsdOpening> openings = new LinkedHashMap<>();
    private final Map<TierPlan.Ssd, Outcome> outcomes = new LinkedHashMap<>();
    /** Ends when it stands in the files which directories are in use; over where nobody writes that. */
    private Future<?> written = CompletableFuture.allOf();
    /** Set by what comes first: the list is written and the directories are claimed, or a close leaves them as they are. */
    private final AtomicBoolean claimsDecided = new AtomicBoolean();
    /** Whether a directory is not in use that was, or that the configuration names. */
    private boolean leavesOneOut;

    /** Deadlines count from here. */
    private final long began = System.nanoTime();

    private SsdStart(Sys sys, UsedDirectories used, Executor beside) {
        this.sys = sys;
        this.used = used;
        this.beside = beside;
    }

    /** Begins to open the directories of the configuration; what else a start has to do goes on beside it. */
    static SsdStart begin(Sys sys, TidemarkConfig config) throws StartException {
        return begin(sys, config, SsdStart::onThread);
    }

    /** As {@link #begin(Sys, TidemarkConfig)}; what is in use is written down by this executor. */
    static SsdStart begin(Sys sys, TidemarkConfig config, Executor beside) throws StartException {
        try {
            SsdStart start = new SsdStart(sys, UsedDirectories.read(sys, config.stateDir()), beside);
            start.beginAll(config);
            return start;
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    /**
     * Waits until each directory is there, has failed, or is late; what is in use is written down beside what follows, see
     * {@link #awaitWritten}.
     *
     * @param cancelled asked all the while; true, or an interrupt, ends the wait with {@link StartException}
     */
    void await(TidemarkConfig config, BooleanSupplier cancelled) throws StartException {
        await(cancelled);
        judge();
        if (leavesOneOut) {
            // or a kill during what follows had it back, beside what is dropped from the others here
            awaitWritten(config, cancelled);
        }
    }

    /**
     * Waits until what is in use is written down: before anybody is served, so that the next start knows what missed this run.
     *
     * @param cancelled as for {@link #await}
     */
    void awaitWritten(TidemarkConfig config, BooleanSupplier cancelled) throws StartException {
        try {
            while (!writtenWithin(POLL_NANOS)) {
                if (cancelled.getAsBoolean()) {
                    throw StartException.cancelled();
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw unusable(config, failed);
            }
            throw new IllegalStateException("which SSD directories are in use is not written down", e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw StartException.cancelled();
        }
    }

    private boolean writtenWithin(long nanos) throws ExecutionException, InterruptedException {
        try {
            written.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }

    private static StartException unusable(TidemarkConfig config, IOException e) {
        return new StartException("cannot use state directory " + config.stateDir() + ": " + FileTrouble.reason(e), e);
    }

    private void beginAll(TidemarkConfig config) {
        for (TierPlan.Ssd ssd : config.tiers().ssd().toList()) {
            openings.put(ssd, SsdOpening.begin(sys, options(ssd, config, used)));
        }
    }

    static SsdOptions options(TierPlan.Ssd ssd, TidemarkConfig config, UsedDirectories used) {
        return new SsdOptions(
                ssd.name(),
                ssd.directory(),
                ssd.capacityBytes(),
                ssd.pageBytes(),
                config.limits().maxValueBytes(),
                config.ssdFresh(),
                used);
    }

    private void await(BooleanSupplier cancelled) throws StartException {
        for (Map.Entry<TierPlan.Ssd, SsdOpening> entry : openings.entrySet()) {
            long end = began + nanosMax(entry.getKey());
            while (!entry.getValue().isOver() && System.nanoTime() - end < 0) {
                // An interrupt ends the wait too: no further wait would wait.
                if (cancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    throw StartException.cancelled();
                }
                entry.getValue().await(Math.min(end, System.nanoTime() + POLL_NANOS));
            }
            outcomes.put(entry.getKey(), entry.getValue().await(end));
        }
    }

    private static long nanosMax(TierPlan.Ssd ssd) {
        return TimeUnit.MILLISECONDS.toNanos(OPEN_MILLIS_MAX)
                + TimeUnit.SECONDS.toNanos(ssd.capacityBytes() / BYTES_A_SECOND);
    }

    private void judge() throws StartException {
        boolean oneWorks = outcomes.values().stream().anyMatch(Outcome.Opened.class::isInstance);
        Map<Path, SsdIdentity> inUse = new LinkedHashMap<>();
        for (Map.Entry<TierPlan.Ssd, Outcome> entry : outcomes.entrySet()) {
            // No switch over types on the way of a start: ADR 10.
            TierPlan.Ssd ssd = entry.getKey();
            if (entry.getValue() instanceof Outcome.Opened(SsdMedium medium)) {
                opened(ssd, medium);
                inUse.put(ssd.directory(), medium.identity());
            } else if (entry.getValue() instanceof Outcome.Refused(IOException why)) {
                throw refusal(ssd, String.valueOf(why.getMessage()), why);
            } else if (entry.getValue() instanceof Outcome.Broken(String why)) {
                if (!oneWorks) {
                    throw refusal(ssd, why, new IOException(why));
                }
                LOG.error("{}: {} is left out, and tried again: {}", ssd.name(), ssd.directory(), why);
            } else {
                throw new IllegalStateException(ssd.name() + ": " + entry.getValue());
            }
        }
        Optional<String> conflict = used.conflict(inUse);
        if (conflict.isPresent()) {
            throw new StartException(conflict.get());
        }
        for (String dropped : used.dropped(directories(), inUse.values())) {
            LOG.warn("{}", dropped);
        }
        leavesOneOut = inUse.size() < outcomes.size() || !used.areAllIn(inUse);
        used.use(inUse);
        List<Outcome> claimed = List.copyOf(outcomes.values());
        // Where no thread can be had this throws, and nobody waits for one that never ran.
        written = CompletableFuture.runAsync(() -> writeInUse(claimed), beside);
    }

    private static void onThread(Runnable task) {
        Thread.ofPlatform().daemon().name("tidemark-in-use").start(task);
    }

    private void writeInUse(List<Outcome> outcomes) {
        try {
            used.write();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
        if (!claimsDecided.compareAndSet(false, true)) {
            return; // closed meanwhile: somebody else may have the directories
        }
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Opened(SsdMedium medium)) {
                claim(medium);
            }
        }
    }

    private List<Path> directories() {
        List<Path> directories = new ArrayList<>();
        for (TierPlan.Ssd ssd : outcomes.keySet()) {
            directories.add(ssd.directory());
        }
        return directories;
    }

    private void claim(SsdMedium medium) {
        try {
            medium.claim(used);
        } catch (IOException e) {
            LOG.warn(
                    "{}: does not say whose it is, and will not begin empty by itself: {}",
                    medium.name(),
                    e.toString());
        }
    }

    private static void opened(TierPlan.Ssd ssd, SsdMedium medium) {
        StoragePlace.of(ssd.directory())
                .flatMap(StoragePlace::concern)
                .ifPresent(concern -> LOG.warn("SSD directory {} {}", ssd.directory(), concern));
        LOG.info(
                "{}: {} with {} blocks of an earlier process",
                ssd.name(),
                ssd.directory(),
                medium.copies().count());
        if (!medium.health().healthy()) {
            LOG.warn(
                    "{}: {}; it serves what is there and takes nothing",
                    ssd.name(),
                    medium.health().why());
        }
    }

    private static StartException refusal(TierPlan.Ssd ssd, String why, IOException cause) {
        return new StartException(
                "SSD directory " + ssd.directory() + " cannot be used: " + SsdRefusal.explained(ssd, why), cause);
    }

    /**
     * The medium of a directory, or what stands in for it; given out once, and closed by the caller.
     *
     * @param order gives a table of copies its order, now or when the device works again
     */
    Medium medium(TierPlan.Ssd ssd, Consumer<CopyTable> order) {
        SsdOpening opening = Objects.requireNonNull(openings.remove(ssd), ssd.name());
        Outcome outcome = Objects.requireNonNull(outcomes.get(ssd));
        if (outcome instanceof Outcome.Opened(SsdMedium medium)) {
            order.accept(medium.copies());
            return medium;
        }
        if (outcome instanceof Outcome.Broken(String why)) {
            return opening.standIn(why, medium -> takeBack(ssd, medium, order));
        }
        // What was refused has stopped the start.
        throw new IllegalStateException(
                ssd.name() + ": " + outcome, outcome instanceof Outcome.Refused(IOException why) ? why : null);
    }

    /**
     * Closes what was not given out, also what is opened later. No directory is claimed any more behind it, unless a call to
     * one hangs in just that.
     */
    @Override
    public void close() {
        endWriting();
        openings.values().forEach(SsdOpening::abandon);
        openings.clear();
    }

    /** Waits for a moment; where the state directory hangs, the list stays as it is until that comes back. */
    private void endWriting() {
        try {
            if (!writtenWithin(TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS_MAX))) {
                boolean claims = !claimsDecided.compareAndSet(false, true);
                LOG.warn(
                        "the list of SSD directories in use is not written to its end: a call to {} has not come back",
                        claims ? "one of them" : "the state directory");
            }
        } catch (ExecutionException _) {
            // told where it is waited for
        } catch (InterruptedException _) {
            claimsDecided.set(true);
            Thread.currentThread().interrupt();
        }
        written = CompletableFuture.allOf(); // a second close does not wait again
    }

    private void takeBack(TierPlan.Ssd ssd, SsdMedium medium, Consumer<CopyTable> order) {
        order.accept(medium.copies());
        try {
            used.add(medium.identity(), ssd.directory());
        } catch (IOException e) {
            LOG.warn("{}: will begin empty at the next start too: {}", ssd.name(), e.toString());
        }
    }
}
