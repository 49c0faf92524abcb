package io.tidemark.server.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.NativeDirectoryCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A volume evictor as a process, on a volume that stops answering one call: the threads that make it hang for good and
 * hear no interruption, as in a kernel that waits for a dead server.
 */
final class StuckVolume {
    private StuckVolume() {}

    /** {@code StuckVolume CALL}: root, open, list, stat, unlink, space. */
    public static void main(String[] arguments) throws Exception {
        VolumeOptions options = VolumeOptionSources.resolve(Optional.empty(), System.getenv(), Map.of());
        new VolumeService(options, new Hanging(arguments[0]), System.out).runAsProcess();
    }

    private record Hanging(String call, NativeDirectoryCalls real) implements DirectoryCalls {
        Hanging(String call) {
            this(call, new NativeDirectoryCalls());
        }

        private void pass(String name) {
            if (name.equals(call)) {
                System.out.println("STUCK in " + name);
            }
            while (name.equals(call)) {
                LockSupport.parkNanos(Long.MAX_VALUE);
                Thread.interrupted();
            }
        }

        @Override
        public int openRoot(MemorySegment path) {
            pass("root");
            return real.openRoot(path);
        }

        @Override
        public int openBelow(int directory, MemorySegment path, long offset) {
            pass("open");
            return real.openBelow(directory, path, offset);
        }

        @Override
        public int close(int descriptor) {
            return real.close(descriptor);
        }

        @Override
        public int readEntries(int directory, MemorySegment buffer) {
            pass("list");
            return real.readEntries(directory, buffer);
        }

        @Override
        public int stat(int directory, MemorySegment name, long offset, MemorySegment facts) {
            if (name.get(ValueLayout.JAVA_BYTE, offset) != '.') {
                pass("stat");
            }
            return real.stat(directory, name, offset, facts);
        }

        @Override
        public int statNow(int directory, MemorySegment name, long offset, MemorySegment facts) {
            pass("stat");
            return real.statNow(directory, name, offset, facts);
        }

        @Override
        public int unlink(int directory, MemorySegment name, long offset) {
            pass("unlink");
            return real.unlink(directory, name, offset);
        }

        @Override
        public int removeDirectory(int directory, MemorySegment name, long offset) {
            return real.removeDirectory(directory, name, offset);
        }

        @Override
        public int space(int directory, MemorySegment facts) {
            pass("space");
            return real.space(directory, facts);
        }
    }
}
