package io.tidemark.server.resp;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** System calls whose reads hang on demand, and are counted. */
final class SlowDevice {
    private final AtomicInteger reads = new AtomicInteger();
    private volatile Optional<CountDownLatch> hangs = Optional.empty();

    Sys sys() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (proxy, call, arguments) -> {
                    if (call.getName().equals("pread")) {
                        reads.incrementAndGet();
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
        hangs = Optional.of(new CountDownLatch(1));
    }

    /** Lets the reads that wait go on, and those to come. */
    void release() {
        CountDownLatch latch = hangs.orElseThrow();
        hangs = Optional.empty();
        latch.countDown();
    }

    /** Reads so far. */
    int reads() {
        return reads.get();
    }
}
