package io.tidemark.bench.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that was started, with all the processes it has made. */
record ProcessTree(Process root) {
    private static final int KIB = 1024;

    /** Ticks a second of {@code /proc/<pid>/stat}, the same on every machine. */
    private static final double USER_HZ = 100;

    /** Place of the first of the processor times in that file, counted after the name: own, then of ended children. */
    private static final int TIMES = 11;

    private static final int TIME_COUNT = 4;

    boolean isAlive() {
        return root.isAlive();
    }

    private List<ProcessHandle> all() {
        return Stream.concat(root.descendants(), Stream.of(root.toHandle())).toList();
    }

    /** Largest resident set of each process, summed up; pages that they share count for each. */
    double residentMib() {
        double sum = 0;
        for (ProcessHandle process : all()) {
            sum += facts(process, "status")
                            .lines()
                            .filter(line -> line.startsWith("VmHWM:"))
                            .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                            .sum()
                    / KIB;
        }
        return sum;
    }

    /** Processor time so far, of children that have ended too. */
    double cpuSeconds() {
        double ticks = 0;
        for (ProcessHandle process : all()) {
            String facts = facts(process, "stat");
            if (!facts.isEmpty()) {
                String[] words = facts.substring(facts.lastIndexOf(')') + 2).split(" ", -1);
                for (int i = TIMES; i < TIMES + TIME_COUNT; i++) {
                    ticks += Long.parseLong(words[i]);
                }
            }
        }
        return ticks / USER_HZ;
    }

    /** A file of {@code /proc}; empty when the process has ended meanwhile. */
    private static String facts(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid(), file));
        } catch (IOException e) { // no such file, or, between opening and reading it, no such process
            return "";
        }
    }

    /**
     * Asks the program to end. What is left of it then is killed, children first, as their parent waits for them.
     *
     * @param patienceMillis how long the program, and after its children the program again, may take to end by itself
     */
    void stop(long patienceMillis) throws InterruptedException {
        List<ProcessHandle> all = all();
        root.destroy();
        if (!root.waitFor(patienceMillis, TimeUnit.MILLISECONDS)) {
            root.descendants().forEach(ProcessHandle::destroyForcibly);
            root.waitFor(patienceMillis, TimeUnit.MILLISECONDS);
        }
        all.forEach(ProcessHandle::destroyForcibly);
        root.waitFor();
    }

    /** Kills all of it. */
    void kill() {
        all().forEach(ProcessHandle::destroyForcibly);
    }
}
