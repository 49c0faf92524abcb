package io.tidemark.core.volume;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One sweeper over a {@link SyntheticVolume} in a process of its own, from the first look to the target. Prints the
 * largest resident set in KiB, files removed, and the share of them that are among the coldest.
 */
final class SyntheticSweep {
    private SyntheticSweep() {}

    /** {@code SyntheticSweep MOUNT RANKS BUCKETS FILES SECONDS}; MOUNT is an empty folder, SECONDS the patience. */
    public static void main(String[] arguments) throws Exception {
        long patienceSeconds = Long.parseLong(arguments[4]);
        TestClocks clocks = new TestClocks();
        SyntheticVolume volume = new SyntheticVolume(
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]),
                clocks.wallMillis() / 1000);
        VolumeConfig config = RunningSweeper.config(Path.of(arguments[0]), settings -> {
            settings.thresholds = new Thresholds(87.9, 87.2, 95, 0);
            settings.readyBuffer = 1_000_000;
            settings.batch = 100;
            settings.deleters = 2;
            return settings;
        });
        boolean ended;
        try (RunningSweeper running = new RunningSweeper(config, volume, clocks)) {
            ended = running.awaitEnded(patienceSeconds);
            running.awaitPasses(1, patienceSeconds);
        }
        String resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .findFirst()
                .orElse("VmHWM: 0 kB")
                .replaceAll("\\D", "");
        System.out.println(ended + " " + resident + " " + volume.removedFiles() + " " + volume.coldestShare());
    }
}
