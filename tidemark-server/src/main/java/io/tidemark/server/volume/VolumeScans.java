package io.tidemark.server.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.FsLayout;
import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.LooseFsLayout;
import io.tidemark.core.volume.SglangLayout;
import io.tidemark.core.volume.ShfsLayout;
import io.tidemark.core.volume.VolumeScan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Scans of a volume as the command line makes them. */
public final class VolumeScans {
    private static final int BUCKET_DIGITS = 3;

    /** Names of the layouts, the likeliest first. */
    public static final List<String> LAYOUTS = List.of("fs", "sglang", "shfs");

    private static final int LOOK_THREADS = 2;

    private VolumeScans() {}

    /**
     * A layout by its name, one of {@link #LAYOUTS}.
     *
     * @param loose whether {@code fs} takes what the old evictor takes
     */
    public static Layout layout(String name, boolean loose) {
        return switch (name) {
            case "sglang" -> new SglangLayout();
            case "shfs" -> new ShfsLayout();
            case "fs" -> loose ? new LooseFsLayout(BUCKET_DIGITS) : new FsLayout(BUCKET_DIGITS);
            default -> throw new IllegalArgumentException("layout '" + name + "'; expected one of " + LAYOUTS);
        };
    }

    /** A layout of which there is a block, named exactly or loosely, below a root. */
    public static Optional<String> layoutOfBlocks(DirectoryCalls calls, Path root)
            throws IOException, InterruptedException {
        for (String name : LAYOUTS) {
            Layout layout = layout(name, true);
            VolumeScan look = new VolumeScan(calls, layout, LOOK_THREADS, Clocks.system(), new ModelNames(root)::of);
            if (look.findsBlocks(root)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** Scans a root. */
    public static VolumeScan.Report scan(
            DirectoryCalls calls, Path root, Layout layout, int threads, Consumer<VolumeScan.Progress> progress)
            throws IOException, InterruptedException {
        return new VolumeScan(calls, layout, threads, Clocks.system(), new ModelNames(root)::of).scan(root, progress);
    }

    /** A report as a tree for JSON. */
    public static Map<String, Object> json(VolumeScan.Report report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("files", report.files());
        json.put("bytes", report.bytes());
        json.put("seconds", report.seconds());
        json.put("proven", report.proven());
        json.put("adopted", report.adopted());
        report.weights().ifPresent(weights -> json.put("weights", weights.toString()));
        json.put("models", report.models());
        json.put("ages", AgeBars.json(report.ages()));
        json.put("empty_folders", report.emptyFolders());
        json.put("orphans", report.orphans());
        json.put("orphan_bytes", report.orphanBytes());
        json.put("unreadable", report.unreadable());
        json.put("unread", report.unread());
        return json;
    }
}
