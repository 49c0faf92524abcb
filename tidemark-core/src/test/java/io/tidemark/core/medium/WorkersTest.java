package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WorkersTest {
    private final AtomicBoolean noThreads = new AtomicBoolean();
    private final AtomicInteger runs = new AtomicInteger();

    /** No thread where it is told so, as at the limit of a user or container. */
    private Thread thread(Runnable work) {
        if (noThreads.get()) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(work);
    }

    @Test
    void workThatNoThreadCanBeStartedForIsNotTaken() throws InterruptedException {
        Workers workers = new Workers(2, 4, this::thread);
        noThreads.set(true);
        assertThatThrownBy(() -> workers.execute(runs::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("no thread");
        noThreads.set(false);
        workers.execute(() -> runs.addAndGet(10));
        workers.end();
        assertThat(workers.awaitEnd(TimeUnit.SECONDS.toNanos(10))).isTrue();
        assertThat(runs).as("what was refused never runs").hasValue(10);
    }

    @Test
    void aThreadThatIsThereGoesOnWhereASecondOneCannotBeStarted() throws InterruptedException {
        Workers workers = new Workers(2, 4, this::thread);
        CountDownLatch go = new CountDownLatch(1);
        workers.execute(() -> {
            await(go);
            runs.addAndGet(10);
        });
        noThreads.set(true);
        workers.execute(runs::incrementAndGet);
        assertThat(workers.waiting()).as("waits for the one that is there").isEqualTo(1);
        noThreads.set(false);
        workers.execute(() -> runs.addAndGet(100));
        go.countDown();
        workers.end();
        assertThat(workers.awaitEnd(TimeUnit.SECONDS.toNanos(10))).isTrue();
        assertThat(runs).hasValue(111);
    }

    @Test
    void workBeyondTheQueueIsNotTaken() throws InterruptedException {
        Workers workers = new Workers(1, 2, this::thread);
        CountDownLatch go = new CountDownLatch(1);
        workers.execute(() -> await(go));
        workers.execute(runs::incrementAndGet);
        workers.execute(runs::incrementAndGet);
        assertThat(workers.waiting()).isEqualTo(2);
        assertThatThrownBy(() -> workers.execute(runs::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        go.countDown();
        workers.end();
        assertThat(workers.awaitEnd(TimeUnit.SECONDS.toNanos(10))).isTrue();
        assertThat(runs).hasValue(2);
    }

    private static void await(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
