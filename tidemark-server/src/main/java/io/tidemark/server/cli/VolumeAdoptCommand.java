package io.tidemark.server.cli;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.volume.RootGuard;
import io.tidemark.server.volume.CachePlace;
import io.tidemark.server.volume.VolumeScans;
import io.tidemark.server.volume.VolumeSettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tidemark volume adopt}: the operator vouches for a root whose layout does not prove itself. What speaks against
 * it is an error unless it is overridden; the mark can be taken back.
 */
@Command(name = "adopt", description = "Marks a folder as a cache whose blocks may be removed.")
final class VolumeAdoptCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Parameters(paramLabel = "PATH", description = "Root of the cache.")
    private Path path = Path.of(".");

    @Spec
    private CommandSpec spec;

    @Option(names = "--undo", description = "Take the mark back: the root has to prove itself again.")
    private boolean undo;

    @Option(
            names = "--force",
            description =
                    "Adopt a root although it is /, lies above the cache, holds a model's weights, or holds no block.")
    private boolean force;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Files.isDirectory(path)) {
            throw new CommandFailed(path + " is no directory; expected the root of a cache");
        }
        Path root = path.toRealPath();
        if (undo) {
            takeBack(root);
        } else {
            adopt(root);
        }
        return 0;
    }

    private void takeBack(Path root) throws IOException {
        if (!RootGuard.disown(root)) {
            throw new CommandFailed(root + " is not adopted: there is nothing to take back");
        }
        output.text("no longer adopted: " + root
                + "; nothing of it is removed unless its layout proves it to be a cache (tidemark volume scan " + root
                + ")");
    }

    private void adopt(Path root) throws IOException, InterruptedException {
        Optional<CachePlace> place = place();
        List<String> objections = objections(root, place);
        if (!objections.isEmpty() && !force) {
            throw new CommandFailed("not adopted: " + String.join("; ", objections)
                    + ". Expected the root of a cache; --force adopts it all the same");
        }
        Path mark = RootGuard.adopt(root);
        objections.forEach(objection -> output.text("overridden by --force: " + objection));
        output.text("adopted: " + mark + "; taken back by: tidemark volume adopt --undo " + root);
        place.map(given -> given.elsewhere(root))
                .orElseGet(() -> Optional.of(CachePlace.unknown(root)))
                .ifPresent(output::text);
    }

    /** Flags of {@code volume} may stand before {@code adopt}. */
    private Optional<CachePlace> place() {
        try {
            return CachePlace.of(spec.parent().commandLine().getParseResult(), System.getenv());
        } catch (VolumeSettingException e) {
            throw new CommandFailed(e.problem().replace("\n", "\ntidemark: "));
        }
    }

    private static List<String> objections(Path root, Optional<CachePlace> place)
            throws IOException, InterruptedException {
        List<String> objections = new ArrayList<>();
        if (RootGuard.isWholeMachine(root)) {
            objections.add(root + " is the root of the file system");
            return objections;
        }
        place.flatMap(given -> given.mistakenFor(root)).ifPresent(objections::add);
        Optional<Path> weights = RootGuard.weightsIn(root);
        if (weights.isPresent()) {
            objections.add(weights.get() + " is a model's weights (tidemark volume does not start on such a root,"
                    + " adopted or not)");
        }
        if (VolumeScans.layoutOfBlocks(new NativeDirectoryCalls(), root).isEmpty()) {
            objections.add(
                    root + " holds no block file of any layout (" + String.join(", ", VolumeScans.LAYOUTS) + ")");
        }
        return objections;
    }
}
