package io.tidemark.server;

import java.util.concurrent.CountDownLatch;

/** A process whose stop hangs for ever, and that is told to stop. */
final class HungStop {
    private HungStop() {}

    public static void main(String[] args) throws InterruptedException {
        Shutdown shutdown = Shutdown.onSignals();
        shutdown.signalled();
        shutdown.await();
        new CountDownLatch(1).await();
    }
}
