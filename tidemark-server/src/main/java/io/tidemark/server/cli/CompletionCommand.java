package io.tidemark.server.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark completion}: {@code source <(tidemark completion)}. */
@Command(
        name = "completion",
        description = "Writes a completion script for bash and zsh: source <(tidemark completion)")
final class CompletionCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("tidemark", spec.root().commandLine());
        if (output.json()) {
            output.object(Map.of("shell", "bash", "script", script));
        } else {
            output.text(script);
        }
        return 0;
    }
}
