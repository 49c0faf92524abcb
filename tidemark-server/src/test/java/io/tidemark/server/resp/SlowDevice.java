package io.tidemark.server.resp;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** System calls whose reads, or writes, hang on demand, and whose bytes read are counted. */
final class SlowDevice {
    private final AtomicLong readBytes = new AtomicLong();
    private volatile Optional<CountDownLatch> hangs = Optional.empty();
    private volatile String hanging = "";

    Sys sys() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (proxy, call, arguments) -> {
                    if (call.getName().equals("pread")) {
                        readBytes.addAndGet(((MemorySegment) arguments[1]).byteSize());
                    }
                    if (call.getName().equals(hanging)) {
                        if (hangs.isPresent()) {
                            hangs.get().await();
                        }
                    }
                    try {
                        return call.invoke(NativeSys.INSTANCE, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Reads wait from now on. */
    void hang() {
        hang("pread");
    }

    /** Calls of this name wait from now on. */
    void hang(String call) {
        hangs = Optional.of(new CountDownLatch(1));
        hanging = call;
    }

    /** Lets the calls that wait go on, and those to come. */
    void release() {
        CountDownLatch latch = hangs.orElseThrow();
        hanging = "";
        hangs = Optional.empty();
        latch.countDown();
    }

    /** Bytes that were read so far. */
    long readBytes() {
        return readBytes.get();
    }
}
