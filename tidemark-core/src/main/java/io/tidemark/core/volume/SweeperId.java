package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Name of a sweeper on a shared volume: machine boot, PID namespace, PID and start time of the process, and its number
 * within the process. From it another sweeper in the same namespace can tell for certain that this one has ended;
 * anywhere else it says nothing.
 */
final class SweeperId {
    private static final int START_TIME_FIELD = 19;
    private static final int PARTS = 5;
    private static final AtomicInteger LAST_NUMBER = new AtomicInteger();

    private SweeperId() {}

    /** A new name for a sweeper of this process. */
    static String next() {
        long pid = ProcessHandle.current().pid();
        return place() + "-" + pid + "-" + startTime(pid) + "-" + LAST_NUMBER.incrementAndGet();
    }

    /** Whether the process of that name was in our namespace and has ended. */
    static boolean isDead(String id) {
        List<String> parts = List.of(id.split("-", -1));
        if (parts.size() != PARTS || !(parts.get(0) + "-" + parts.get(1)).equals(place())) {
            return false;
        }
        try {
            return !startTime(Long.parseLong(parts.get(2))).equals(parts.get(3));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String place() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                    .strip()
                    .replace("-", "");
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return boot + "-" + namespace.replaceAll("\\D", "");
        } catch (IOException e) {
            return "unknown" + Long.toHexString(System.nanoTime()) + "-0";
        }
    }

    private static String startTime(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1))
                    .get(START_TIME_FIELD);
        } catch (IOException e) {
            return "none";
        }
    }
}
