package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CrawlBoardTest {
    private static final long WAIT_MILLIS = 300;
    private static final RankDir RANK = RankDir.of("m_r0", Optional.empty());

    private static ShardTask task(int digit) {
        return new ShardTask(RANK, BucketList.NONE, digit, ShardTask.ALL);
    }

    @Test
    void crawlersWithoutWorkSleepThroughTheirWait() throws Exception {
        CrawlBoard board = new CrawlBoard(4);
        AtomicLong cpuNanos = new AtomicLong();
        List<Thread> crawlers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            crawlers.add(Thread.ofPlatform().start(() -> cpuNanos.addAndGet(waitForWork(board, number))));
        }
        for (Thread crawler : crawlers) {
            crawler.join();
        }
        assertThat(cpuNanos.get()).as("processor time of four waiting crawlers").isLessThan(WAIT_MILLIS * 1_000_000);
    }

    private static long waitForWork(CrawlBoard board, int number) {
        try {
            assertThat(board.take(number, WAIT_MILLIS)).isEmpty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void aPieceThatKillsItsCrawlerTwiceIsLeftOutAndTheWalkEnds() throws Exception {
        CrawlBoard board = new CrawlBoard(1);
        assertThat(board.share()).as("before a walk").isZero();
        board.begin(List.of(task(0), task(1)));
        assertThat(board.take(0, WAIT_MILLIS)).contains(task(0));
        assertThat(board.take(0, WAIT_MILLIS)).as("again, for the next thread").contains(task(0));
        assertThat(board.share()).isZero();
        assertThat(board.take(0, WAIT_MILLIS)).as("left out").contains(task(1));
        assertThat(board.share()).as("one of two is over").isEqualTo(0.5);
        board.done(0, true);
        assertThat(board.share()).isEqualTo(1);
        assertThat(board.awaitDone(0)).isTrue();
        assertThat(board.isComplete()).as("a piece was left out").isFalse();
        board.begin(List.of(task(0)));
        assertThat(board.share()).as("of another walk").isZero();
        assertThat(board.take(0, WAIT_MILLIS)).contains(task(0));
        assertThat(board.isComplete()).as("goes on").isFalse();
        board.done(0, true);
        assertThat(board.isComplete()).isTrue();
        board.begin(List.of(task(0)));
        assertThat(board.take(0, WAIT_MILLIS)).contains(task(0));
        board.done(0, false);
        assertThat(board.isComplete()).as("something could not be read").isFalse();
    }
}
