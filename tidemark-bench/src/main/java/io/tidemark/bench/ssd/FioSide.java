package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The yardstick: {@code fio} with direct I/O at random offsets of a file beside the tier; bytes a nanosecond = GB/s. */
final class FioSide implements Side {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final long RUN_SECONDS = 120;
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

    /** Whether there is a {@code fio} here. */
    static boolean isThere() throws InterruptedException {
        try {
            return new ProcessBuilder("fio", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
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
        run(file, List.of("--rw=write", "--bs=1M", "--iodepth=8", "--size=" + bytes));
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
        JsonNode job = run(file, options);
        return job.get(read ? "read" : "write").get("bw_bytes").asDouble() / 1e9;
    }

    private static JsonNode run(Path file, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "fio",
                "--name=bench",
                "--filename=" + file,
                "--direct=1",
                "--ioengine=io_uring",
                "--output-format=json"));
        command.addAll(options);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
        return MAPPER.readTree(said.substring(said.indexOf('{'))).get("jobs").get(0);
    }
}
