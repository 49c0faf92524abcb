package io.tidemark.server;

import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.machine.StoragePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the start makes of an SSD directory that is missing: its last folder, with a word, since the device that belongs there may
 * not be mounted, and the blocks would fill the file system of the machine. Folders above it are never made.
 */
public final class SsdFolder {
    private final Path directory;
    private final boolean ours;

    /** @param stateDir what lies in it is ours to make, and is not worth a word */
    public SsdFolder(TierPlan.Ssd ssd, Path stateDir) {
        directory = ssd.directory();
        ours = directory.startsWith(stateDir);
    }

    /** Makes those that lie in the state directory; the others are made, and told, when they are opened. */
    static void makeOurs(TidemarkConfig config) throws StartException {
        for (TierPlan.Ssd ssd : config.tiers().ssd().toList()) {
            if (ssd.directory().startsWith(config.stateDir())) {
                try {
                    Files.createDirectories(ssd.directory());
                } catch (IOException e) {
                    throw new StartException(
                            "SSD directory " + ssd.directory() + " cannot be made: " + FileTrouble.reason(e), e);
                }
            }
        }
    }

    /** Why nothing can be kept there; empty: nothing is against it. */
    public Optional<String> trouble() {
        Path above = directory.toAbsolutePath().getParent();
        if (Files.exists(directory)) {
            return Files.isDirectory(directory) ? Optional.empty() : Optional.of("it is a file; expected a directory");
        }
        return ours || above == null || Files.isDirectory(above)
                ? Optional.empty()
                : Optional.of(above + " is not there, and only the last folder is made; is the device mounted?");
    }

    /** What is to be known of a folder that has to be made; empty: it is there, or one of ours. */
    public Optional<String> notice() {
        if (ours || Files.exists(directory)) {
            return Optional.empty();
        }
        String where = StoragePlace.of(directory)
                .map(place -> place.mountPoint() + " (" + place.type() + ")")
                .orElse("an unknown place");
        return Optional.of("was not there and lies on the file system of " + where);
    }
}
