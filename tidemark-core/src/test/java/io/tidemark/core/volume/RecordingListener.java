package io.tidemark.core.volume;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Notes what a sweeper tells. */
final class RecordingListener implements VolumeListener {
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final List<String> wouldRemove = new CopyOnWriteArrayList<>();
    final List<Rehearsed> rehearsed = new CopyOnWriteArrayList<>();
    final AtomicLong removed = new AtomicLong();
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);

    /** Called when deletion starts, before the one who says so goes on. */
    volatile Runnable whenStarted = () -> {};

    /** The end of a rehearsal as it was told. */
    record Rehearsed(Usage measured, Usage wouldBe, RehearsalSum sum, RehearsalEnd end) {}

    @Override
    public void deletionStarted(Usage usage) {
        started.countDown();
        whenStarted.run();
    }

    @Override
    public void deletionEnded(Usage usage) {
        ended.countDown();
    }

    @Override
    public void rehearsalEnded(Usage measured, Usage wouldBe, RehearsalSum sum, RehearsalEnd end) {
        rehearsed.add(new Rehearsed(measured, wouldBe, sum, end));
        ended.countDown();
    }

    @Override
    public void removed(RankDir rank, Layout.BlockHash hash, long bytes, long usedSeconds) {
        removed.incrementAndGet();
    }

    @Override
    public void batchEnded() {}

    @Override
    public void wouldRemove(String path, long bytes, long ageSeconds) {
        wouldRemove.add(path);
    }

    @Override
    public void warn(String message) {
        warnings.add(message);
    }
}
