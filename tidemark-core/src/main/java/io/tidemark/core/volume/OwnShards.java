package io.tidemark.core.volume;

import java.util.Set;
import java.util.function.Predicate;

/** The shards that are ours now, of those that the layout has, and the part of the volume that they make. */
final class OwnShards {
    private final ShardKeeper keeper;
    private final Layout layout;

    OwnShards(ShardKeeper keeper, Layout layout) {
        this.keeper = keeper;
        this.layout = layout;
    }

    /** The shards: files that lie in the root are one shard, the first. */
    Set<Integer> ours() {
        Set<Integer> digits = keeper.digits();
        return isFlat() && !digits.isEmpty() ? (digits.contains(0) ? Set.of(0) : Set.of()) : digits;
    }

    private boolean isFlat() {
        return layout.levels() == 0;
    }

    /** The part of what is to be freed that falls to us, 0 to 1. */
    double share() {
        return share(ours());
    }

    /** The part of the volume that lies in these shards. */
    double share(Set<Integer> shards) {
        return (double) shards.size() / (isFlat() ? 1 : BucketList.DIGITS);
    }

    /** Whether a file lies in a shard that is ours at this moment: to be asked once for many files. */
    Predicate<VolumeFile> holds() {
        Set<Integer> digits = ours();
        if (digits.size() == BucketList.DIGITS) {
            return file -> true;
        }
        return file -> {
            int shard = file.shard(layout);
            return shard < 0 || digits.contains(shard);
        };
    }
}
