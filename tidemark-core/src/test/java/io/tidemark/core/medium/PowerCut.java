package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Real system calls that remember what the bytes were before each write that is not synced yet, so that a power cut can take any
 * of those writes back: the page cache writes them to the device in whatever order it likes. What is written to the slab, with
 * direct I/O, stays, and so do lengths.
 */
final class PowerCut {
    /** A write that is in the page cache alone. */
    record Unsynced(String file, long offset, ByteBuffer before) {}

    private final Map<Integer, String> files = new HashMap<>();
    private final Deque<Unsynced> unsynced = new ArrayDeque<>();

    /** The calls. */
    Sys sys() {
        return (Sys) Proxy.newProxyInstance(Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (_, call, on) -> {
            synchronized (this) {
                switch (call.getName()) {
                    case "pwrite" -> note((int) on[0], ((MemorySegment) on[1]).byteSize(), (long) on[2]);
                    case "fdatasync", "fsync" -> unsynced.removeIf(write -> write.file.equals(files.get(on[0])));
                    default -> {
                        // changes no bytes of these files
                    }
                }
                Object answer = made(call, on);
                if (call.getName().equals("openat")) {
                    files.put((int) answer, (String) on[1]);
                }
                return answer;
            }
        });
    }

    private static Object made(Method call, Object[] on) throws Throwable {
        try {
            return call.invoke(NativeSys.INSTANCE, on);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void note(int fd, long bytes, long offset) throws SysException {
        String file = Objects.requireNonNull(files.get(fd));
        if (file.endsWith(SsdDirectory.SLAB)) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = arena.allocate(bytes);
            SysFiles.readUpTo(NativeSys.INSTANCE, fd, before, offset);
            unsynced.addLast(new Unsynced(file, offset, ByteBuffer.wrap(before.toArray(ValueLayout.JAVA_BYTE))));
        }
    }

    /** Takes back the writes of which this holds, in the files that nobody has open any more. */
    synchronized void cut(Predicate<Unsynced> lost) throws IOException {
        Iterator<Unsynced> lastFirst = unsynced.descendingIterator();
        while (lastFirst.hasNext()) {
            Unsynced write = lastFirst.next();
            if (lost.test(write)) {
                try (FileChannel file = FileChannel.open(Path.of(write.file), StandardOpenOption.WRITE)) {
                    file.write(write.before, write.offset);
                }
            }
        }
        unsynced.clear();
    }
}
