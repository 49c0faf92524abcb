package io.tidemark.server.cli;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.server.volume.VolumeFlags;
import io.tidemark.server.volume.VolumeOptions;
import io.tidemark.server.volume.VolumeService;
import io.tidemark.server.volume.VolumeSettingException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark volume}: the evictor of a shared volume, configured by the variables of the one it replaces. */
@Command(
        name = "volume",
        description = "Keeps a shared volume with KV-cache files under its mark, coldest files first.",
        subcommands = {VolumeScanCommand.class, VolumeAdoptCommand.class, VolumeStatusCommand.class},
        sortOptions = false)
final class VolumeCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        service().runAsProcess();
        return 0;
    }

    private VolumeService service() {
        try {
            VolumeOptions options = VolumeFlags.options(spec.commandLine().getParseResult(), System.getenv());
            return new VolumeService(options, new NativeDirectoryCalls(), System.out, output.json());
        } catch (VolumeSettingException e) {
            throw new CommandFailed(e.problem().replace("\n", "\ntidemark: "));
        }
    }
}
