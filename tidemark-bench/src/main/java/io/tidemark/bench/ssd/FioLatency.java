package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What the device itself makes of it: {@code fio} that reads 64 KiB, one at a time, alone or beside one that writes pieces as
 * long and as many as the tier does while it is read. Microseconds of the 99th of a hundred reads.
 */
final class FioLatency implements Side {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final List<String> WRITES = List.of(
            "--name=beside",
            "--rw=randwrite",
            "--bs=64k",
            "--iodepth=1",
            "--size=" + SsdBench.FILE_BYTES,
            "--time_based",
            "--runtime=60");

    private final Path file;
    private final int reads;
    private final boolean beside;

    FioLatency(Path file, int reads, boolean beside) {
        this.file = file;
        this.reads = reads;
        this.beside = beside;
    }

    @Override
    public String name() {
        return beside ? "fio beside writes of 64 KiB, one at a time" : "fio alone";
    }

    @Override
    public double measure() throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(
                "--rw=randread",
                "--bs=" + BLOCK_BYTES,
                "--iodepth=1",
                "--size=" + SsdBench.FILE_BYTES,
                "--io_size=" + (long) reads * BLOCK_BYTES,
                "--randrepeat=0",
                "--lat_percentiles=1",
                "--exitall"));
        if (beside) {
            options.addAll(WRITES);
        }
        JsonNode job = Fio.run(file, options).get(0);
        return job.get("read").get("lat_ns").get("percentile").get("99.000000").asDouble() / 1e3;
    }
}
