package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the process right after an answer: what was deleted or written again is not what it was before. */
class NeverBackTest {
    @TempDir
    Path folder;

    private FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private PoolHarness pool;

    @BeforeEach
    void open() throws IOException {
        SsdMedium ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", folder, 16L << 20));
        ssd.copies().trackOrder("lru+np");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd, 1)).promoting(new Promotion(1, true));
        pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity());
    }

    /** The next process: nothing that was only in memory has reached the disk. */
    private void killAndOpen() throws IOException {
        sys.kill();
        end();
        sys = new FaultySys(NativeSys.INSTANCE);
        open();
    }

    private void end() {
        try {
            pool.pool.close();
        } catch (FaultySys.Killed e) {
            assertThat(sys.isKilled()).isTrue();
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        sys.heal();
        end();
    }

    private void onSsd(int name, int content) {
        pool.put(name, value(content, PAGE));
        pool.evict(name, EvictionReason.CAPACITY);
        pool.settle();
        assertThat(pool.where(name)).containsExactly("ssd0");
    }

    @Test
    void a_block_that_was_promoted_by_move_and_deleted() throws IOException {
        onSsd(1, 1);
        assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        pool.settle();
        assertThat(pool.where(1)).containsExactly("dram0");
        pool.evict(1, EvictionReason.DELETED);
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_promoted_by_move_and_overwritten() throws IOException {
        onSsd(1, 1);
        pool.get(1);
        pool.settle();
        assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_evicted_for_room_and_put_again() throws IOException {
        onSsd(1, 1);
        assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.FREED);
        assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_whose_end_was_missed_and_whose_next_value_was_put_twice() throws IOException {
        onSsd(1, 1);
        sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EIO));
        assertThat(pool.put(1, value(2, PAGE)))
                .as("there, though the end of the first is not")
                .isEqualTo(Answer.STORED);
        sys.heal();
        assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
        assertThat(pool.counter("tidemark_unchanged_puts_total")).isOne();
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_whose_end_was_missed_and_whose_next_value_was_put_twice_in_batches() throws IOException {
        onSsd(1, 1);
        sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EIO));
        assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
        sys.heal();
        Reserved.Reservation again =
                (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.REPLACE);
        PoolHarness.fill(again.segments(), value(2, PAGE));
        assertThat(pool.session.commitTogether(List.of(again), PutHints.NONE)).isEqualTo(Answer.STORED);
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_evicted_for_room_and_deleted_when_it_was_gone() throws IOException {
        onSsd(1, 1);
        pool.evict(1, EvictionReason.CAPACITY);
        assertThat(pool.evict(1, EvictionReason.DELETED).outcome()).isEqualTo(EvictionOutcome.NONE);
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void blocks_that_were_evicted_before_everything_was_deleted() throws IOException {
        onSsd(1, 1);
        onSsd(2, 2);
        pool.evict(1, EvictionReason.CAPACITY);
        pool.pool.clear();
        killAndOpen();
        assertThat(pool.held(3)).isEmpty();
    }

    @Test
    void a_block_that_was_deleted_while_its_demotion_was_written() throws Exception {
        whileDemoted(() -> pool.evict(1, EvictionReason.DELETED), () -> !pool.pool.contains(key(1)));
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_overwritten_while_its_demotion_was_written() throws Exception {
        whileDemoted(() -> pool.put(1, value(2, PAGE)), () -> Arrays.equals(pool.get(1), value(2, PAGE)));
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_deleted_during_its_demotion_by_one_who_leaves_the_waiting_to_another() throws Exception {
        whileDemotedLeaving(ends -> pool.pool.evict(EvictionRequest.of(key(1), EvictionReason.DELETED), ends));
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_overwritten_during_its_demotion_by_one_who_leaves_the_waiting_to_another() throws Exception {
        whileDemotedLeaving(ends -> reserved(2).commit(PutHints.NONE, PutMode.REPLACE, ends));
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void a_block_that_was_overwritten_in_a_batch_during_its_demotion_by_one_who_leaves_the_waiting_to_another()
            throws Exception {
        whileDemotedLeaving(ends -> pool.session.commitTogether(List.of(reserved(2)), PutHints.NONE, ends));
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    @Test
    void where_nothing_is_to_be_waited_for_nothing_is_left() {
        pool.put(1, value(1, PAGE));
        List<Unsettled> left = new ArrayList<>();
        reserved(2).commit(PutHints.NONE, PutMode.REPLACE, Ends.leftTo(left::add));
        pool.pool.evict(EvictionRequest.of(key(1), EvictionReason.DELETED), Ends.leftTo(left::add));
        assertThat(left).isEmpty();
    }

    @Test
    void bytes_that_a_device_would_have_to_be_asked_for_are_stored_by_one_who_waits_for_none() throws IOException {
        onSsd(1, 2);
        long reads = sys.count("pread");
        List<Unsettled> left = new ArrayList<>();
        assertThat(reserved(2).commit(PutHints.NONE, PutMode.REPLACE, Ends.leftTo(left::add)))
                .isEqualTo(Answer.STORED);
        assertThat(sys.count("pread")).isEqualTo(reads);
        assertThat(pool.where(1)).containsExactly("dram0");
        assertThat(left).hasSize(1);
        assertThat(left.getFirst().await()).isEmpty();
        killAndOpen();
        assertThat(pool.get(1)).isNull();
    }

    /** Space for block 1, with this content in it. */
    private Reserved.Reservation reserved(int content) {
        Reserved.Reservation put =
                (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.REPLACE);
        PoolHarness.fill(put.segments(), value(content, PAGE));
        return put;
    }

    /** Discards block 1 while a demotion writes its bytes, without waiting; returns when another one has waited. */
    private void whileDemotedLeaving(Consumer<Ends> discard) throws Exception {
        List<Unsettled> left = new CopyOnWriteArrayList<>();
        AtomicBoolean onlyWaits = new AtomicBoolean();
        whileDemoted(
                () -> {
                    discard.accept(Ends.leftTo(left::add));
                    assertThat(left).hasSize(1);
                    assertThat(left.getFirst().backends()).containsExactly("ssd0");
                    assertThat(left.getFirst().giveUp()).containsExactly("ssd0");
                    onlyWaits.set(true);
                    assertThat(left.getFirst().await()).isEmpty();
                },
                onlyWaits::get);
        assertThat(left).hasSize(1);
    }

    /**
     * Discards block 1 while a demotion writes its bytes; returns with the answer of the discard, the demotion is over.
     *
     * @param onlyWaits whether nothing but the end of the demotion is left for the discard to wait for
     */
    private void whileDemoted(Runnable discard, Callable<Boolean> onlyWaits) throws Exception {
        pool.put(1, value(1, PAGE));
        pool.evict(1, EvictionReason.CAPACITY);
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        sys.inject(
                call -> {
                    boolean here = call.is("pwrite", "slab");
                    if (here) {
                        written.countDown();
                    }
                    return here;
                },
                new FaultySys.Hang(released));
        CompletableFuture<Void> demotion = CompletableFuture.runAsync(pool.pool.transitionWork()::run, threads);
        assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> discarded = CompletableFuture.runAsync(discard, threads);
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(onlyWaits);
        assertThat(discarded).as("waits for the move").isNotDone();
        sys.heal();
        released.countDown();
        discarded.get(10, TimeUnit.SECONDS);
        demotion.get(10, TimeUnit.SECONDS);
    }
}
