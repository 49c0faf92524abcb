package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RoleThreadTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final VolumeLog log = new VolumeLog(
            new PrintStream(out, true, StandardCharsets.UTF_8), false, "INFO", Optional.empty(), Clock.systemUTC());

    @Test
    void aRoleThatDiesOfAnExceptionOrAnErrorIsToldAndStartedAnew() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Semaphore steps = new Semaphore(0);
        RoleThread role = new RoleThread(
                "deleter",
                12,
                () -> {
                    int number = made.incrementAndGet();
                    return () -> {
                        if (number == 1) {
                            throw new IllegalStateException("first");
                        }
                        if (number == 2) {
                            throw new StackOverflowError("second");
                        }
                        steps.release();
                        TimeUnit.SECONDS.sleep(60);
                    };
                },
                () -> false,
                log);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!steps.tryAcquire(20, TimeUnit.MILLISECONDS)) {
            assertThat(System.nanoTime() - end).isNegative();
            role.reviveIfDead();
        }
        role.interrupt();
        assertThat(made.get()).isEqualTo(3);
        assertThat(role.restarts()).isEqualTo(2);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("[P12]", "died: java.lang.IllegalStateException: first")
                .contains("died: java.lang.StackOverflowError: second")
                .contains("Restarting deleter P12");
    }
}
