package io.tidemark.bench.volume;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of the machine to their end. */
final class Commands {
    private Commands() {}

    /**
     * What a program wrote to its output.
     *
     * @throws IOException when it is not there or fails
     */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", List.of(command)) + " ended with code " + code + ": " + output);
        }
        return output;
    }
}
