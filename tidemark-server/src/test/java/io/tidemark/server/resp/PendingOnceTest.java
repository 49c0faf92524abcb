package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingOnceTest {
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void waitsOnceHoweverOftenItIsAskedFor() {
        PendingOnce task = new PendingOnce(runs::incrementAndGet, queue::add);
        task.post();
        task.post();
        assertThat(queue).hasSize(1);
        queue.remove().run();
        assertThat(runs).hasValue(1);
        task.post();
        queue.remove().run();
        assertThat(runs).hasValue(2);
    }

    @Test
    void mayBeAskedForAgainWhileItRuns() {
        PendingOnce[] task = new PendingOnce[1];
        task[0] = new PendingOnce(() -> task[0].post(), queue::add);
        task[0].post();
        queue.remove().run();
        assertThat(queue).hasSize(1);
    }
}
