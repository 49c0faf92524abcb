package io.tidemark.bench.ssd;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.MediumKind;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** DRAM above an SSD directory, for benchmarks. */
final class Tiers {
    private static final String ORDER = "lru+np";
    private static final List<String> FILES =
            List.of("slab", "journal-0", "journal-1", "checkpoint-0", "checkpoint-1", "lock", "identity");

    private Tiers() {}

    /** Opens a pool; the SSD's calls go through {@code sys}. */
    static Pool open(Sys sys, Path directory, long dramBytes, long ssdBytes, boolean fresh) throws IOException {
        SsdMedium ssd = ssd(sys, directory, ssdBytes, fresh);
        DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", dramBytes));
        dram.copies().trackOrder(ORDER);
        return Pool.open(PoolConfig.of(
                TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1)).offloadingTo("ssd"),
                TierConfig.of("ssd", Marks.DEFAULT, new TierMember(ssd, 1))));
    }

    /** Opens the SSD directory alone. */
    static SsdMedium ssd(Sys sys, Path directory, long bytes, boolean fresh) throws IOException {
        SsdOptions options = SsdOptions.of("ssd0", directory, bytes);
        SsdMedium ssd = SsdMedium.open(sys, fresh ? options.withFresh() : options);
        ssd.copies().trackOrder(ORDER);
        return ssd;
    }

    /** Blocks in the SSD tier. */
    static long below(Pool pool) {
        return pool.status().backends().stream()
                .filter(backend -> backend.kind() == MediumKind.SSD)
                .mapToLong(backend -> backend.copies())
                .sum();
    }

    /** Removes a directory of an SSD medium. */
    static void remove(Path directory) throws IOException {
        for (String file : FILES) {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.deleteIfExists(directory);
    }
}
