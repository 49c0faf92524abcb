package io.tidemark.core.volume;

import java.nio.file.Files;

/** The keeper's role: the sweeper's own affairs on the volume, as far as that is there. */
final class KeeperRole {
    private final SweeperParts parts;

    KeeperRole(SweeperParts parts) {
        this.parts = parts;
    }

    /** Does what is due. */
    void step() {
        if (Files.isDirectory(parts.root.cache()) && isVolume()) {
            parts.recency.probe();
            parts.keeper.step();
            parts.recency.readTouches();
        }
        if (parts.joint.called().isPresent()) {
            parts.early.ask();
        }
    }

    private boolean isVolume() {
        return parts.root.sample() instanceof VolumeRoot.Sample.Measured;
    }
}
