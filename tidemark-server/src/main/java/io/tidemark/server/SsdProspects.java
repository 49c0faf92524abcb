package io.tidemark.server;

import io.tidemark.core.medium.LockTable;
import io.tidemark.core.medium.SsdIdentity;
import io.tidemark.core.medium.SsdProspect;
import io.tidemark.core.medium.Sys;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a start will make of its SSD directories.
 *
 * @param each by directory
 * @param conflict why they cannot be used together; stops the start
 * @param dropped what is to be said of directories of the last run that are left out
 */
public record SsdProspects(Map<TierPlan.Ssd, SsdProspect> each, Optional<String> conflict, List<String> dropped) {
    private static final String LOCK = "lock";

    /**
     * Asks the directories, and changes nothing.
     *
     * @param running the server of this state directory, whose locks are no obstacle
     * @throws IOException when the state directory does not say which ones it used; stops the start
     */
    public static SsdProspects of(Sys sys, TidemarkConfig config, OptionalLong running) throws IOException {
        UsedDirectories used = UsedDirectories.read(sys, config.stateDir());
        Map<TierPlan.Ssd, SsdProspect> each = new LinkedHashMap<>();
        Map<Path, SsdIdentity> identities = new LinkedHashMap<>();
        for (TierPlan.Ssd ssd : config.tiers().ssd().toList()) {
            SsdProspect prospect = prospect(sys, ssd, config, used, running);
            each.put(ssd, prospect);
            if (prospect instanceof SsdProspect.Opens opens) {
                opens.identity().ifPresent(identity -> identities.put(ssd.directory(), identity));
            }
        }
        List<Path> directories =
                each.keySet().stream().map(TierPlan.Ssd::directory).toList();
        return new SsdProspects(each, used.conflict(identities), used.dropped(directories, identities.values()));
    }

    /** What is to be said of directories of the last run that are left out; none is asked unless one is missing by its path. */
    public static List<String> dropped(Sys sys, TidemarkConfig config) throws IOException {
        List<Path> directories =
                config.tiers().ssd().map(TierPlan.Ssd::directory).toList();
        return UsedDirectories.read(sys, config.stateDir())
                        .dropped(directories, List.of())
                        .isEmpty()
                ? List.of()
                : of(sys, config, OptionalLong.empty()).dropped();
    }

    private static SsdProspect prospect(
            Sys sys, TierPlan.Ssd ssd, TidemarkConfig config, UsedDirectories used, OptionalLong running) {
        OptionalLong holder = LockTable.holder(ssd.directory().resolve(LOCK));
        // as at a start, this comes before whatever else is wrong with it
        return holder.isPresent() && !holder.equals(running)
                ? new SsdProspect.LeftOut("it is in use by another process (pid " + holder.getAsLong() + ")")
                : SsdProspect.of(sys, SsdStart.options(ssd, config, used));
    }

    /** Whether one of them opens, so that those that do not are left out. */
    public boolean oneWorks() {
        return each.values().stream().anyMatch(SsdProspect.Opens.class::isInstance);
    }
}
