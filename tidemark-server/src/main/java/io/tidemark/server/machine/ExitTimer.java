package io.tidemark.server.machine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A timer of the kernel that ends the process with exit code 0 without the JVM. Each way out of a JVM, {@code halt} too,
 * first waits until every thread stops where the JVM wants it, for one that fills memory as long as that takes, and then up
 * to ten seconds for a compiler that is at work (ADR 8).
 *
 * <p>The C library starts a thread for a timer that has run out and has it call a function of one number. The function is
 * {@code _exit} and the number zero, so that no code of the JVM runs.
 */
public final class ExitTimer {
    private static final long CLOCK_MONOTONIC = 1;

    /** {@code struct sigevent} of 64 bits: value, signal, then how to tell, and what to call. */
    private static final long EVENT_BYTES = 64;

    private static final long HOW_TO_TELL = 12;
    private static final long TO_CALL = 16;
    private static final int BY_A_THREAD = 2;

    /** {@code struct itimerspec}: how often again (never), and when. */
    private static final long TIMES_BYTES = 32;

    private static final long SECONDS = 16;
    private static final long NANOS = 24;

    /** One form for both calls, and one that other calls of the process have: the linker makes a class for each form. */
    private static final FunctionDescriptor FORM =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);

    private final MethodHandle settime;
    private final MemorySegment state;
    private final MemorySegment times;
    private final long timer;

    private ExitTimer(MethodHandle settime, MemorySegment state, MemorySegment times, long timer) {
        this.settime = settime;
        this.state = state;
        this.times = times;
        this.timer = timer;
    }

    /** Made ready, and not yet running; nothing where the C library has none to give. */
    @SuppressWarnings("restricted") // a call of the C library
    public static Optional<ExitTimer> make() {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        Optional<MemorySegment> create = library.find("timer_create");
        Optional<MemorySegment> settime = library.find("timer_settime");
        Optional<MemorySegment> exit = library.find("_exit");
        if (create.isEmpty() || settime.isEmpty() || exit.isEmpty()) {
            return Optional.empty(); // a glibc before 2.34 has them elsewhere
        }
        Linker.Option errno = Linker.Option.captureCallState("errno");
        Arena forLife = Arena.global();
        MemorySegment state = forLife.allocate(Linker.Option.captureStateLayout());
        MemorySegment event = forLife.allocate(EVENT_BYTES, Long.BYTES);
        event.set(JAVA_INT, HOW_TO_TELL, BY_A_THREAD);
        event.set(ADDRESS, TO_CALL, exit.get());
        MemorySegment timer = forLife.allocate(JAVA_LONG);
        if (call(
                        linker.downcallHandle(create.get(), FORM, errno),
                        state,
                        CLOCK_MONOTONIC,
                        event,
                        timer.address(),
                        MemorySegment.NULL)
                != 0) {
            return Optional.empty();
        }
        return Optional.of(new ExitTimer(
                linker.downcallHandle(settime.get(), FORM, errno),
                state,
                forLife.allocate(TIMES_BYTES, Long.BYTES),
                timer.get(JAVA_LONG, 0)));
    }

    /** Ends the process so many milliseconds from now, in place of what was said before. */
    public synchronized void endIn(long millis) {
        times.set(JAVA_LONG, SECONDS, millis / 1_000);
        times.set(JAVA_LONG, NANOS, millis % 1_000 * 1_000_000);
        call(settime, state, timer, MemorySegment.NULL, times.address(), MemorySegment.NULL);
    }

    private static int call(
            MethodHandle call, MemorySegment state, long first, MemorySegment second, long third, MemorySegment last) {
        try {
            return (int) (long) call.invokeExact(state, first, second, third, 0L, last);
        } catch (Throwable e) {
            throw new IllegalStateException("a call of the C library throws nothing", e);
        }
    }
}
