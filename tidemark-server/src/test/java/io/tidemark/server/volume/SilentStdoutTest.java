package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeDirectoryCalls;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An evictor whose lines nobody takes any more, as behind a log agent that hangs. */
@Timeout(60)
class SilentStdoutTest {
    @TempDir
    private Path folder;

    /** Takes everything until a line of the last role to start, and nothing from then on. */
    private static final class Pipe extends OutputStream {
        private final StringBuilder said = new StringBuilder();
        private final CountDownLatch full = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            if (full.getCount() == 0) {
                try {
                    released.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
            said.append(new String(bytes, from, count, StandardCharsets.UTF_8));
            if (said.indexOf("background process P11 started") >= 0) {
                full.countDown();
            }
        }
    }

    @Test
    void theEndWaitsForNobodyToTakeItsLines() throws Exception {
        Files.createDirectories(folder.resolve("cache"));
        VolumeOptions options = VolumeOptionSources.resolve(
                Optional.empty(),
                Map.of("METRICS_ADDRESS", "", "CACHE_DIRECTORY", "cache", "ADOPT", "true"),
                Map.of("PVC_MOUNT_PATH", folder.toString()));
        Pipe pipe = new Pipe();
        VolumeService service = new VolumeService(
                options, new NativeDirectoryCalls(), new PrintStream(pipe, true, StandardCharsets.UTF_8));
        FutureTask<Integer> running = new FutureTask<>(service::run);
        Thread.ofPlatform().daemon().start(running);
        assertThat(pipe.full.await(30, TimeUnit.SECONDS)).isTrue();
        FutureTask<Void> stopping = new FutureTask<>(service::stop, null);
        Thread.ofPlatform().daemon().start(stopping);
        try {
            stopping.get(20, TimeUnit.SECONDS);
            assertThat(running.isDone()).as("it had a line to say too").isFalse();
        } finally {
            pipe.released.countDown();
        }
        assertThat(running.get(20, TimeUnit.SECONDS)).isZero();
    }
}
