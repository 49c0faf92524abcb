package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/** Compares what a shadow would have removed with what another evictor has removed. */
final class Shadow {
    private final DirectoryCalls calls;
    private final VolumeRoot root;

    Shadow(CacheTree tree) {
        this.calls = tree.calls();
        this.root = tree.root();
    }

    /** A line that says how many of these files are gone. */
    String compare(List<VolumeFile> wouldRemove) {
        int cache = root.openCache();
        if (cache < 0) {
            return "shadow: the volume does not answer, nothing to compare";
        }
        try {
            MemorySegment facts = StatxBuffer.allocate();
            long gone = wouldRemove.stream()
                    .filter(file -> isGone(cache, file, facts))
                    .count();
            long bytes = wouldRemove.stream().mapToLong(VolumeFile::bytes).sum();
            return String.format(
                    Locale.ROOT,
                    "shadow: would have removed %d files (%d bytes), the coldest; of these the other evictor removed %d"
                            + " (%.1f%%)",
                    wouldRemove.size(),
                    bytes,
                    gone,
                    wouldRemove.isEmpty() ? 0 : 100.0 * gone / wouldRemove.size());
        } finally {
            calls.close(cache);
        }
    }

    private boolean isGone(int cache, VolumeFile file, MemorySegment facts) {
        byte[] rank = file.rank().path();
        byte[] directory = file.nameStart() == 0 ? rank : RankFinder.join(rank, file.directory());
        int opened =
                directory.length == 0 ? root.openCache() : calls.openBelow(cache, RankFinder.terminated(directory), 0);
        if (opened < 0) {
            return true;
        }
        try {
            return calls.stat(opened, RankFinder.terminated(file.name().toBytes()), 0, facts) < 0;
        } finally {
            calls.close(opened);
        }
    }
}
