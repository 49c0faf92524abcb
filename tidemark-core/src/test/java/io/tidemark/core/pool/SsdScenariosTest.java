package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that people met in stores of this kind, by their number, shown over a real SSD medium. */
class SsdScenariosTest {
    private static final long STAGED_BYTES = 4 * PAGE;

    @TempDir
    Path folder;

    private FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private PoolHarness pool;

    @BeforeEach
    void open() throws IOException {
        pool = opened();
    }

    private PoolHarness opened() throws IOException {
        SsdMedium ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", folder, 16L << 20));
        ssd.copies().trackOrder("lru");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd, 1));
        PoolConfig config = PoolConfig.of(upper.offloadingTo("ssd"), lower);
        return new PoolHarness(config.with(new DeviceReads(5_000, 4, STAGED_BYTES)), KeyHash.seeded(1));
    }

    @AfterEach
    void close() {
        sys.heal();
        pool.close();
    }

    private void restart() throws IOException {
        long millis = pool.clocks.wallMillis();
        pool.close();
        sys.kill(); // a close waits a second for the device's threads; a process that ends lets go of the directory
        sys = new FaultySys(NativeSys.INSTANCE);
        pool = opened();
        pool.clocks.advanceMillis(millis - pool.clocks.wallMillis());
    }

    private void demote(int... names) {
        for (int name : names) {
            pool.putPage(name);
            pool.evict(name, EvictionReason.CAPACITY);
        }
        pool.settle();
        for (int name : names) {
            assertThat(pool.where(name)).containsExactly("ssd0");
        }
    }

    /** The kernel has no memory for a direct read: that says nothing of the block. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, Errno.EAGAIN, Errno.ENOBUFS})
    void a_read_that_the_machine_has_no_memory_for_costs_no_block(int errno) {
        demote(1);
        sys.inject(call -> call.is("pread", "slab"), new FaultySys.Fail(errno));
        for (int times = 0; times < 4; times++) {
            assertThat(pool.session.read(key(1))).isEqualTo(new ReadResult.Refused(Answer.BUSY));
        }
        sys.heal();
        assertThat(pool.where(1)).containsExactly("ssd0");
        assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        assertThat(pool.counter("tidemark_unreadable_copies_total")).isZero();
    }

    @Test
    void a_discard_whose_wait_fails_gives_the_space_back() {
        demote(1);
        Ends failing = Ends.leftTo(rest -> {
            throw new IllegalStateException("test");
        });
        EvictionRequest delete = EvictionRequest.of(key(1), EvictionReason.DELETED);
        assertThatThrownBy(() -> pool.pool.evict(delete, failing)).hasMessage("test");
        BackendStatus ssd = pool.pool.status().backends().getLast();
        assertThat(ssd.doomedBytes()).isZero();
        assertThat(ssd.copies()).isZero();
    }

    @Test
    void g27_a_file_cut_behind_the_store_costs_one_read_and_a_miss() throws Exception {
        demote(1);
        try (RandomAccessFile slab = new RandomAccessFile(folder.resolve("slab").toFile(), "rw")) {
            slab.setLength(0);
        }
        long before = sys.count("pread");
        List<Thread> clients = new ArrayList<>();
        List<ReadResult> answers = Collections.synchronizedList(new ArrayList<>());
        for (int client = 0; client < 10; client++) {
            Session session = pool.pool.session("client" + client);
            clients.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50; i++) {
                    answers.add(session.read(key(1)));
                }
            }));
        }
        for (Thread client : clients) {
            client.join();
        }
        assertThat(answers).hasSize(500).containsOnly(new ReadResult.Missed());
        assertThat(pool.where(1)).isEmpty();
        assertThat(pool.counter("tidemark_unreadable_copies_total"))
                .as("told once")
                .isEqualTo(1);
        assertThat(sys.count("pread") - before).as("readers share it").isLessThanOrEqualTo(10);
        long after = sys.count("pread");
        assertThat(pool.get(1)).isNull();
        assertThat(sys.count("pread")).as("a plain miss asks no device").isEqualTo(after);
        demote(1);
        assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
    }

    /** What a file answers whose device went, or was cut, while it was open. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.ESTALE, Errno.EIO, Errno.ENXIO})
    void g124_a_read_that_the_device_refuses_is_a_miss_and_the_others_go_on(int errno) {
        demote(1, 2);
        AtomicInteger left = new AtomicInteger(1);
        sys.inject(call -> call.is("pread", "slab") && left.getAndDecrement() > 0, new FaultySys.Fail(errno));
        assertThat(pool.get(1)).isNull();
        sys.heal();
        assertThat(pool.where(1)).isEmpty();
        assertThat(pool.get(2)).isEqualTo(value(2, PAGE));
        demote(1);
        assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
    }

    @Test
    void g100_staged_memory_at_its_cap_is_busy_and_never_a_miss() {
        demote(1, 2, 3, 4, 5);
        List<ReadResult.Pinned> reading = new ArrayList<>();
        for (int name = 1; name <= 4; name++) {
            reading.add(pool.pin(name));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(pool.session.read(key(5))).isEqualTo(new ReadResult.Refused(Answer.BUSY));
        }
        reading.removeLast().close();
        assertThat(pool.get(5)).isEqualTo(value(5, PAGE));
        for (int name = 1; name <= 3; name++) {
            assertThat(PoolHarness.bytes(reading.get(name - 1))).isEqualTo(value(name, PAGE));
        }
        reading.forEach(ReadResult.Pinned::close);
        assertThat(pool.get(4)).isEqualTo(value(4, PAGE));
    }

    @Test
    void a_value_is_read_whole_and_in_parts_where_no_run_of_staged_memory_is_long_enough() {
        int bytes = 2 * PAGE - 7;
        demote(1, 2, 3, 4);
        pool.put(9, value(9, bytes));
        pool.evict(9, EvictionReason.CAPACITY);
        pool.settle();
        List<ReadResult.Pinned> reading =
                IntStream.rangeClosed(1, 4).mapToObj(name -> pool.pin(name)).toList();
        reading.get(0).close();
        reading.get(2).close();
        try (ReadResult.Pinned whole = pool.pin(9)) {
            assertThat(whole.segments()).hasSize(2);
            assertThat(PoolHarness.bytes(whole)).isEqualTo(value(9, bytes));
            assertThat(whole.segments(new ByteRange(PAGE - 3, 6)).stream()
                            .map(part -> part.toArray(ValueLayout.JAVA_BYTE))
                            .toList())
                    .containsExactly(
                            Arrays.copyOfRange(value(9, bytes), PAGE - 3, PAGE),
                            Arrays.copyOfRange(value(9, bytes), PAGE, PAGE + 3));
        }
        reading.forEach(ReadResult.Pinned::close);
    }

    @Test
    void g126_a_read_does_not_wait_behind_demotions() {
        demote(1, 2, 3);
        CountDownLatch released = new CountDownLatch(1);
        sys.inject(call -> call.is("pwrite", "slab"), new FaultySys.Hang(released));
        for (int name = 10; name < 40; name++) {
            pool.putPage(name);
            pool.evict(name, EvictionReason.CAPACITY);
        }
        Thread worker =
                Thread.ofPlatform().start(() -> pool.pool.transitionWork().run());
        try {
            await().until(() -> worker.getState() == Thread.State.WAITING);
            for (int name = 1; name <= 3; name++) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
        } finally {
            released.countDown();
        }
        await().until(() -> !worker.isAlive());
        pool.settle();
        assertThat(pool.where(39)).containsExactly("ssd0");
    }

    @Test
    void g94_a_life_that_was_changed_after_the_demotion_is_the_one_that_counts_after_a_restart() throws IOException {
        demote(1, 2, 3, 4);
        pool.pool.expireAfter(key(1), 60_000);
        pool.pool.expireAfter(key(2), 60_000);
        pool.pool.persist(key(2));
        pool.pool.expireAfter(key(3), 1_000);
        restart();
        assertThat(pool.pool.ttlMillis(key(1))).isBetween(1L, 60_000L);
        assertThat(pool.pool.ttlMillis(key(2))).isEqualTo(-1);
        assertThat(pool.pool.ttlMillis(key(4))).isEqualTo(-1);
        pool.clocks.advanceMillis(1_000);
        pool.settle();
        assertThat(pool.held(5)).containsExactly(1, 2, 4);
        restart();
        assertThat(pool.held(5)).as("what expired is gone for good").containsExactly(1, 2, 4);
        for (int name : pool.held(5)) {
            assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
        }
    }

    @Test
    void lives_that_change_all_the_time_fill_no_file() throws IOException {
        demote(1, 2);
        for (int i = 0; i < 30_000; i++) {
            pool.pool.expireAfter(key(1), 100_000 + i);
            pool.pool.persist(key(1));
        }
        demote(3);
        restart();
        assertThat(pool.pool.ttlMillis(key(1))).isEqualTo(-1);
        assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        assertThat(pool.get(3)).isEqualTo(value(3, PAGE));
    }
}
