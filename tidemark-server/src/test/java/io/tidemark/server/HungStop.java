package io.tidemark.server;

import java.util.concurrent.CountDownLatch;

/** A process whose stop hangs for ever, and that is told to stop. */
final class HungStop {
    /** With these flags a loop that counts never looks whether the JVM wants its thread to stop. */
    static final String[] LOOPS_ARE_NOT_HELD_UP = {
        "-Xbatch", "-XX:-TieredCompilation", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"
    };

    private static volatile long sum;

    private HungStop() {}

    /** {@code HungStop busy}: with a thread on which the JVM waits, whichever way it is to end, for half a minute. */
    public static void main(String[] args) throws InterruptedException {
        Shutdown shutdown = Shutdown.onSignals();
        if (args.length > 0) {
            shutdown.prepareTimer();
            CountDownLatch compiled = new CountDownLatch(1);
            Thread.ofPlatform().daemon().start(() -> {
                for (int round = 0; round < 20_000; round++) {
                    sum = divide(10);
                }
                compiled.countDown();
                sum = divide(Integer.MAX_VALUE);
            });
            compiled.await();
        }
        shutdown.signalled();
        shutdown.await();
        new CountDownLatch(1).await();
    }

    private static long divide(int rounds) {
        long value = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            value = Long.MAX_VALUE / (value / (round | 1L) | 1L);
        }
        return value;
    }
}
