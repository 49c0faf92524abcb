package io.tidemark.server;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * System calls of a task, told apart by their number: one of them may fail, or be the last thing that the process does. Then
 * a write has got half of its bytes out, no other call is made any more, and the descriptors are closed, as at a kill.
 */
final class CountedCalls {
    private static final int NEVER = -1;

    private final Map<Integer, String> open = new ConcurrentHashMap<>();
    /** Calls of the task so far, as name and file. */
    private final List<String> calls = new ArrayList<>();

    private int dies = NEVER;
    private int fails = NEVER;
    private int errno;
    private volatile boolean dead;
    /** Held by each call: what a dying process has under way is over before anything of it is closed, as the kernel sees to. */
    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    /** Whose calls count. */
    private volatile Optional<Thread> counted = Optional.empty();

    /** The process is dead. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Killed(String call) {
            super("killed at " + call);
        }
    }

    /** The process dies at the call of this number, from 0. */
    static CountedCalls dyingAt(int call) {
        CountedCalls made = new CountedCalls();
        made.dies = call;
        return made;
    }

    /** The call of this number, from 0, is answered with an error. */
    static CountedCalls failingAt(int call, int errno) {
        CountedCalls made = new CountedCalls();
        made.fails = call;
        made.errno = errno;
        return made;
    }

    /** Nothing goes wrong; for the list of the {@link #calls}. */
    static CountedCalls healthy() {
        return new CountedCalls();
    }

    /** Calls of the task so far, as name and file. */
    List<String> calls() {
        return calls;
    }

    /** Runs a task, whose calls on this thread count. */
    void count(Runnable task) {
        counted = Optional.of(Thread.currentThread());
        try {
            task.run();
        } finally {
            counted = Optional.empty();
        }
    }

    /** The calls. */
    Sys sys() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (_, call, arguments) -> make(call, arguments));
    }

    private Object make(Method call, Object[] arguments) throws Throwable {
        String name = call.getName();
        if (!dead && counted.filter(Thread.currentThread()::equals).isPresent()) {
            int number = calls.size();
            calls.add(name + " " + Path.of(file(arguments)).getFileName());
            if (number == fails) {
                throw new SysException(name, errno, file(arguments));
            }
            if (number == dies) {
                die(name, arguments);
            }
        }
        running.readLock().lock();
        try {
            if (dead) {
                return afterDeath(call, arguments);
            }
            Object answer = real(call, arguments);
            if (name.equals("openat")) {
                open.put((Integer) answer, (String) arguments[1]);
            } else if (name.equals("close")) {
                open.remove((Integer) arguments[0]);
            }
            return answer;
        } finally {
            running.readLock().unlock();
        }
    }

    private String file(Object[] arguments) {
        return arguments.length > 1 && arguments[1] instanceof String path
                ? path
                : open.getOrDefault((Integer) arguments[0], "unknown");
    }

    private void die(String name, Object[] arguments) throws SysException {
        if (name.equals("pwrite")) {
            MemorySegment bytes = (MemorySegment) arguments[1];
            NativeSys.INSTANCE.pwrite(
                    (Integer) arguments[0], bytes.asSlice(0, bytes.byteSize() / 2), (Long) arguments[2]);
        }
        dead = true;
        running.writeLock().lock();
        try {
            for (int fd : open.keySet()) {
                NativeSys.INSTANCE.close(fd);
            }
        } finally {
            running.writeLock().unlock();
        }
        throw new Killed(name);
    }

    /** Memory goes back in any case; descriptors are closed already. */
    private static Object afterDeath(Method call, Object[] arguments) throws Throwable {
        return switch (call.getName()) {
            case "munmap" -> real(call, arguments);
            case "close" -> ""; // nobody looks at that
            default -> throw new Killed(call.getName());
        };
    }

    private static Object real(Method call, Object[] arguments) throws Throwable {
        try {
            return call.invoke(NativeSys.INSTANCE, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
