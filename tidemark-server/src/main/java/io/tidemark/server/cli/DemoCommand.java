package io.tidemark.server.cli;

import io.tidemark.server.replay.Demo;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.ReplayCounts;
import java.io.Console;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark demo}. */
@Command(
        name = "demo",
        description = "Runs a server and replays a bundled slice of a production trace against it, every byte checked.")
final class DemoCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Option(
            names = "--redis",
            paramLabel = "URL",
            converter = ReplayAgainst.ToEndpoint.class,
            description = "A running Redis to stand beside, instead of a redis-server of the demo's own.")
    private @Nullable Endpoint redis;

    @Override
    public Integer call() {
        try {
            Demo demo = new Demo(output.notes(), isTerminal());
            Demo.Outcome outcome = demo.run(Optional.ofNullable(redis));
            return show(outcome);
        } catch (IOException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }

    private int show(Demo.Outcome outcome) {
        ReplayCounts counts = outcome.tidemark().counts();
        if (output.json()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("tidemark", outcome.tidemark().fields());
            outcome.redis().ifPresent(report -> fields.put("redis", report.fields()));
            output.object(fields);
        } else {
            outcome.table().forEach(output::text);
            output.text("wrong bytes %d, failed loads %d, %,d prefill tokens saved"
                    .formatted(counts.wrongBytes(), counts.failedLoads(), counts.tokensSaved()));
            output.note(
                    "A prefix hit is a block that was found and loaded, from the start of a request on: its tokens need no"
                            + " prefill. The hit rate is the point of this table; bytes per"
                            + " second are bound by this machine, its load, and how much each of them finds. Next: tidemark serve");
        }
        return counts.wrongBytes() + counts.failedLoads() == 0 ? 0 : 1;
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
}
