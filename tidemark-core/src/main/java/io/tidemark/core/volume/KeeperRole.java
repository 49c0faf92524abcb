package io.tidemark.core.volume;

import java.nio.file.Files;

/** The keeper's role: the sweeper's own affairs on the volume, as far as that is there. */
final class KeeperRole {
    private final VolumeRoot root;
    private final RecencyWatch recency;
    private final ShardKeeper keeper;
    private final JointDeletion joint;
    private final EarlyLook early;

    /**
     * The role.
     *
     * @param early asked for a look when other sweepers delete more than we knew of
     */
    KeeperRole(VolumeRoot root, RecencyWatch recency, ShardKeeper keeper, JointDeletion joint, EarlyLook early) {
        this.root = root;
        this.recency = recency;
        this.keeper = keeper;
        this.joint = joint;
        this.early = early;
    }

    /** Does what is due. */
    void step() {
        if (Files.isDirectory(root.cache()) && isVolume()) {
            recency.probe();
            keeper.step();
            recency.readTouches();
        }
        if (joint.called().isPresent()) {
            early.ask();
        }
    }

    private boolean isVolume() {
        return root.sample() instanceof VolumeRoot.Sample.Measured;
    }
}
