package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The yardstick: {@code fio} with direct I/O at random offsets of a file beside the tier; bytes a nanosecond = GB/s. */
final class FioSide implements Side {
    /** Of those that the system has set aside: it asks for no others. */
    private static final List<String> HUGE_PAGES = List.of("--iomem=mmaphuge", "--hugepage-size=2M");

    private final Path file;
    private final boolean read;
    private final int blockBytes;
    private final long moved;
    private final Pages pages;

    /** Reads or writes {@code moved} bytes a measurement. */
    FioSide(Path file, boolean read, int blockBytes, long moved, Pages pages) {
        this.file = file;
        this.read = read;
        this.blockBytes = blockBytes;
        this.moved = moved;
        this.pages = pages;
    }

    /** Whether fio gets huge pages here for so many bytes a block, shown by reading one of a file that is laid out. */
    static boolean hasHugePages(Path file, int blockBytes) throws InterruptedException {
        try {
            return new FioSide(file, true, blockBytes, blockBytes, Pages.HUGE).measure() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the file once from front to back: later writes find its blocks there. */
    static void layOut(Path file, long bytes) throws IOException, InterruptedException {
        Fio.run(file, List.of("--rw=write", "--bs=1M", "--iodepth=8", "--size=" + bytes));
    }

    @Override
    public String name() {
        return "fio, " + pages.text();
    }

    @Override
    public double measure() throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(
                read ? "--rw=randread" : "--rw=randwrite",
                "--bs=" + blockBytes,
                "--iodepth=" + SsdBench.DEPTH,
                "--size=" + SsdBench.FILE_BYTES,
                "--io_size=" + moved,
                "--randrepeat=0"));
        if (pages == Pages.HUGE) {
            options.addAll(HUGE_PAGES);
        }
        JsonNode job = Fio.run(file, options).get(0);
        return job.get(read ? "read" : "write").get("bw_bytes").asDouble() / 1e9;
    }
}
