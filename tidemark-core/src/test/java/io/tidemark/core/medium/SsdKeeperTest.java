package io.tidemark.core.medium;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SsdKeeperTest {
    @TempDir
    Path dir;

    /** Buffers outside of the heap end with an error that the virtual machine does not see. */
    @Test
    void anErrorEndsNoThreadOnWhichADeviceDepends() throws IOException {
        FrameFile[] files = new FrameFile[2];
        for (int i = 0; i < 2; i++) {
            files[i] = FrameFileTest.open(
                    NativeSys.INSTANCE, dir.resolve("journal-" + i).toString(), 64 << 10);
        }
        RecordedAgain again = new RecordedAgain();
        AtomicInteger turns = new AtomicInteger();
        Checkpointer checkpointer = new Checkpointer(files, files, 1, again);
        try (SsdKeeper keeper = new SsdKeeper(
                        "ssd0", new CheckpointRuns(checkpointer, again, copy -> true, new IoErrors()), () -> {
                            turns.incrementAndGet();
                            throw new OutOfMemoryError("direct buffer memory");
                        });
                Journal journal = new Journal(files, new DeviceHealth("/ssd0", System::nanoTime), keeper::wake)) {
            journal.start(1, 1);
            journal.checkpointed(1);
            keeper.use(journal);
            keeper.start();
            await().until(() -> {
                keeper.wake();
                return turns.get() > 2;
            });
        }
    }
}
