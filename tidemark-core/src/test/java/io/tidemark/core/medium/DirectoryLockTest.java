package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds a directory, as it is told to who wants it; the real other process is in {@code SsdProcessTest}. */
class DirectoryLockTest {
    @TempDir
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);

    private SsdOptions options() {
        return SsdOptions.of("ssd0", folder, SsdOptions.CAPACITY_BYTES_MIN);
    }

    @Test
    void whoHoldsADirectoryInThisProcessIsNoOtherProcess() throws IOException {
        DirectoryLock lock = DirectoryLock.take(sys, options());
        assertThatThrownBy(() -> DirectoryLock.take(sys, options()))
                .isInstanceOf(IOException.class)
                .hasMessage("ssd0: " + folder + " is in use by this process already");
        lock.close();
        DirectoryLock.take(sys, options()).close();
        assertThat(OpenDescriptors.below(folder)).isZero();
    }

    /** Where no thread could be started that closes it, who wants the directory next does. */
    @Test
    void whatWasPutOffIsClosedByWhoWantsTheDirectoryOnceTheCallHasComeBack() throws IOException {
        DirectoryLock lock = DirectoryLock.take(sys, options());
        AtomicBoolean back = new AtomicBoolean();
        lock.putOff(() -> {
            if (back.get()) {
                Closing.behind(new IOException(), lock::close);
            }
            return back.get();
        });
        assertThatThrownBy(() -> DirectoryLock.take(sys, options()))
                .hasMessageContaining("a call of this process to the files in " + folder + " still hangs");
        back.set(true);
        DirectoryLock.take(sys, options()).close();
        assertThat(OpenDescriptors.below(folder)).isZero();
    }

    @Test
    void aLockThatCannotBeTakenLeavesNothingOpenAndIsNotToldAsHeld() throws IOException {
        for (String call : new String[] {"statx", "flock", "ftruncate", "pwrite"}) {
            sys.inject(made -> made.is(call), new FaultySys.Fail(Errno.EIO), 1);
            assertThatThrownBy(() -> DirectoryLock.take(sys, options())).hasMessageContaining("EIO");
            assertThat(OpenDescriptors.below(folder)).as(call).isZero();
        }
        DirectoryLock.take(sys, options()).close();
    }
}
