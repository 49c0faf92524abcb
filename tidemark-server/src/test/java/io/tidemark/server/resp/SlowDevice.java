package io.tidemark.server.resp;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** System calls whose reads, or writes, hang or fail on demand, and whose bytes are counted. */
public final class SlowDevice {
    private static final int EIO = 5;

    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private volatile Optional<CountDownLatch> hangs = Optional.empty();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();
    private volatile String hanging = "";
    private volatile boolean broken;
    private volatile boolean takesNothing;

    /** The calls of this device. */
    public Sys sys() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (proxy, call, arguments) -> {
                    if (call.getName().equals("pread")) {
                        readBytes.addAndGet(((MemorySegment) arguments[1]).byteSize());
                    }
                    if (call.getName().equals("pwrite")) {
                        writtenBytes.addAndGet(((MemorySegment) arguments[1]).byteSize());
                    }
                    if (takesNothing && call.getName().startsWith("pwrite")) {
                        throw new SysException("pwrite", EIO, "device that takes nothing");
                    }
                    if (broken && call.getName().equals("pread")) {
                        throw new SysException("pread", EIO, "broken device");
                    }
                    if (call.getName().equals(hanging)) {
                        if (hangs.isPresent()) {
                            long bytes = bytesOf(arguments);
                            waiting.incrementAndGet();
                            waitingBytes.addAndGet(bytes);
                            hangs.get().await();
                            waitingBytes.addAndGet(-bytes);
                            waiting.decrementAndGet();
                        }
                    }
                    try {
                        return call.invoke(NativeSys.INSTANCE, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static long bytesOf(Object[] arguments) {
        return arguments[1] instanceof MemorySegment segment ? segment.byteSize() : 0;
    }

    /** Reads wait from now on. */
    public void hang() {
        hang("pread");
    }

    /** Calls of this name wait from now on. */
    public void hang(String call) {
        hangs = Optional.of(new CountDownLatch(1));
        hanging = call;
    }

    /** Calls that wait now. */
    public int waiting() {
        return waiting.get();
    }

    /** Bytes that the calls which wait now are to read or write. */
    public long waitingBytes() {
        return waitingBytes.get();
    }

    /** Reads fail from now on. */
    public void breakDown() {
        broken = true;
    }

    /** Writes fail from now on. */
    public void takeNothing() {
        takesNothing = true;
    }

    /** Lets the calls that wait go on, and those to come. */
    public void release() {
        CountDownLatch latch = hangs.orElseThrow();
        hanging = "";
        hangs = Optional.empty();
        latch.countDown();
    }

    /** Bytes that were written so far, records of blocks included. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /** Bytes that were read so far. */
    public long readBytes() {
        return readBytes.get();
    }
}
