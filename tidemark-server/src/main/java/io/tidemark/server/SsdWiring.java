package io.tidemark.server;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Promotion;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import io.tidemark.server.config.TidemarkConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the tier of SSD directories that a configuration describes, with what earlier processes left in them. */
final class SsdWiring {
    static final String TIER = "ssd";

    private static final Logger LOG = LoggerFactory.getLogger(SsdWiring.class);

    /** Memory for values that are read from SSD, at most: a quarter of the blocks' memory, or this. */
    private static final long STAGED_BYTES_MAX = 256L << 20;

    private SsdWiring() {}

    /** Memory for values that are read from SSD; the largest value fits. */
    static long stagedBytes(TidemarkConfig config) {
        long share = Math.min(STAGED_BYTES_MAX, config.dram().capacityBytes() / 4);
        return config.ssd().isEmpty() ? 0 : Math.max(share, config.limits().maxValueBytes());
    }

    /** Opens every directory, or none. */
    static TierConfig open(TidemarkConfig.Ssd ssd, long maxValueBytes) throws StartException {
        List<TierMember> members = new ArrayList<>();
        boolean complete = false;
        try {
            for (Path directory : ssd.directories()) {
                members.add(new TierMember(open(ssd, maxValueBytes, directory, TIER + members.size()), 1));
            }
            complete = true;
        } finally {
            if (!complete) {
                members.forEach(member -> member.medium().close());
            }
        }
        Optional<Promotion> promotion = ssd.promotion().map(rule -> new Promotion(rule.hits(), rule.move()));
        return new TierConfig(TIER, members, new Marks(ssd.highMark(), ssd.lowMark()), List.of(), promotion);
    }

    private static SsdMedium open(TidemarkConfig.Ssd ssd, long maxValueBytes, Path directory, String name)
            throws StartException {
        StoragePlace.of(directory)
                .flatMap(StoragePlace::concern)
                .ifPresent(concern -> LOG.warn("SSD directory {} {}", directory, concern));
        try {
            SsdMedium medium = SsdMedium.open(
                    NativeSys.INSTANCE,
                    new SsdOptions(name, directory, ssd.directoryBytes(), ssd.pageBytes(), maxValueBytes, ssd.fresh()));
            medium.copies().trackOrder(ssd.policy());
            LOG.info(
                    "{}: {} with {} blocks of an earlier process",
                    name,
                    directory,
                    medium.copies().count());
            return medium;
        } catch (IOException e) {
            throw new StartException("SSD directory " + directory + " cannot be used: " + e.getMessage(), e);
        }
    }
}
