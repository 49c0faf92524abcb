package io.tidemark.bench.ssd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code fio} with direct I/O by io_uring. */
final class Fio {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final long RUN_SECONDS = 120;

    private Fio() {}

    /** Whether there is a {@code fio} here. */
    static boolean isThere() throws InterruptedException {
        try {
            return new ProcessBuilder("fio", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Runs it on a file to its end.
     *
     * @param options of the first job, which further {@code --name} may follow
     * @return what it says of each job
     * @throws IOException when it fails or takes longer than two minutes
     */
    static JsonNode run(Path file, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("fio", "--filename=" + file, "--direct=1", "--ioengine=io_uring", "--output-format=json"));
        command.add("--name=bench");
        command.addAll(options);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
        return MAPPER.readTree(said.substring(said.indexOf('{'))).get("jobs");
    }
}
