package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.VictimSource;
import io.tidemark.core.pool.Claim;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.EvictionSpace;
import io.tidemark.core.pool.Evictor;
import io.tidemark.core.pool.Marks;
import java.util.List;

/**
 * What the evictors of all deleters have in common.
 *
 * @param space the account that they work to
 * @param batch files between two looks at the usage
 */
record EvictorSettings(Marks marks, EvictionSpace space, int batch, Clocks clocks) {
    /** An evictor of files: whatever is offered may go as far as the pool is concerned. */
    Evictor<VolumeFile> evictor(VictimSource<VolumeFile> source, Reclaimable<VolumeFile> medium) {
        return new Evictor<>(
                marks, space, source, file -> new Claim.Free<>(List.of(file)), medium, batch, () -> {}, clocks);
    }
}
