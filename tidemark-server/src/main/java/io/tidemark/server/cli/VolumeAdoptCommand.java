package io.tidemark.server.cli;

import io.tidemark.core.volume.RootGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark volume adopt}: the operator vouches for a root whose layout does not prove itself. */
@Command(name = "adopt", description = "Marks a folder as a cache whose blocks may be removed.")
final class VolumeAdoptCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Parameters(paramLabel = "PATH", description = "Root of the cache.")
    private Path path = Path.of(".");

    @Override
    public Integer call() throws IOException {
        if (!Files.isDirectory(path)) {
            throw new CommandFailed(path + " is no directory; expected the root of a cache");
        }
        Optional<Path> weights = RootGuard.weightsIn(path);
        if (weights.isPresent()) {
            throw new CommandFailed(weights.get() + " is a model's weights: this is no cache, and it is not adopted");
        }
        output.text("adopted: " + RootGuard.adopt(path));
        return 0;
    }
}
