package io.tidemark.server.cli;

import io.tidemark.server.http.Json;
import io.tidemark.server.keys.KeyCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code tidemark evict KEY}: one copy, as the watermark worker would. Exit code 1 when nothing went.
 */
@Command(
        name = "evict",
        description = "Evicts one copy of a block from a running server, as the watermark worker would: a pinned copy"
                + " stays, and so does a leased last one.")
final class EvictCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Mixin
    private RunningServer server;

    @Parameters(paramLabel = "KEY", description = "Key of the block, as text; with --hex as hex digits.")
    private String key;

    @Option(names = "--hex", description = "The key is given in hex digits.")
    private boolean hex;

    @Option(names = "--tier", paramLabel = "NAME", description = "The copy in this tier.")
    private Optional<String> tier = Optional.empty();

    @Option(names = "--backend", paramLabel = "NAME", description = "The copy in this backend.")
    private Optional<String> backend = Optional.empty();

    @Override
    public Integer call() {
        requireKey();
        Map<String, String> request = new LinkedHashMap<>();
        request.put(hex ? "key_hex" : "key", key);
        tier.ifPresent(name -> request.put("tier", name));
        backend.ifPresent(name -> request.put("backend", name));
        Result result = Json.read(server.post("/api/v1/evict", Json.write(request)), Result.class);
        if (output.json()) {
            output.object(result);
        } else {
            output.text(result.outcome() + ", " + result.bytesFreed() + " bytes freed"
                    + result.reason().map(why -> " (" + why + ")").orElse(""));
        }
        return result.outcome().equals("NONE") ? 1 : 0;
    }

    /** Whether there is a server or not, a key that is none is a mistake of the command line. */
    private void requireKey() {
        if (key.isEmpty()) {
            throw output.notUnderstood("KEY is empty; expected at least one byte");
        }
        try {
            if (hex) {
                KeyCodec.parseHex(key);
            }
        } catch (IllegalArgumentException e) {
            throw output.notUnderstood("--hex " + e.getMessage());
        }
    }

    /** What the server answers. */
    record Result(String outcome, long bytesFreed, Optional<String> reason) {}
}
