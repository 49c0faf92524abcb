package io.tidemark.server.cli;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.server.volume.VolumeOptionSources;
import io.tidemark.server.volume.VolumeService;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Has a volume evictor walk and empty a small cache of its own, in a temporary folder. */
final class VolumeWarmUp {
    private static final int FILES = 2_000;
    private static final Duration AGE = Duration.ofDays(2);
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long POLL_MILLIS = 50;

    private VolumeWarmUp() {}

    /** Runs one; the folder must be empty. */
    static void run(Path folder) throws IOException, InterruptedException {
        Path rank = cache(folder);
        Map<String, String> flags = Map.of(
                "PVC_MOUNT_PATH", folder.toString(),
                "CACHE_DIRECTORY", "cache",
                "CLEANUP_THRESHOLD", "0.0002",
                "TARGET_THRESHOLD", "0.0001",
                "NUM_CRAWLER_PROCESSES", "2",
                "METRICS_ADDRESS", "127.0.0.1:0");
        VolumeService service = new VolumeService(
                VolumeOptionSources.resolve(Optional.empty(), Map.of(), flags),
                new NativeDirectoryCalls(),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Thread running = Thread.ofPlatform().daemon().start(() -> {
            try {
                service.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (hasBlocks(rank) && running.isAlive() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        service.stop();
    }

    private static Path cache(Path folder) throws IOException {
        Path model = Files.createDirectories(folder.resolve("cache/warm-up_0123456789ab"));
        Files.writeString(model.resolve("config.json"), "{\"model_name\": \"warm-up\"}");
        Path rank = folder.resolve("cache/warm-up_0123456789ab_r0");
        FileTime used = FileTime.from(Instant.now().minus(AGE));
        for (int i = 0; i < FILES; i++) {
            Path leaf = Files.createDirectories(rank.resolve(String.format(Locale.ROOT, "%03x/00_g0", i % 16)));
            Path file = Files.createFile(leaf.resolve(String.format(Locale.ROOT, "%064x.bin", i)));
            Files.setLastModifiedTime(file, used);
            Files.setAttribute(file, "lastAccessTime", used);
        }
        return rank;
    }

    private static boolean hasBlocks(Path rank) throws IOException {
        try (Stream<Path> files = Files.walk(rank)) {
            return files.anyMatch(Files::isRegularFile);
        }
    }
}
