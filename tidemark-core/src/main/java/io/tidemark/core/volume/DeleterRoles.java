package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.VictimSource;
import io.tidemark.core.pool.Marks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The deleters' roles: what each takes its files from and frees them with. A thread that takes the place of one that died
 * takes over what that had taken from the buffer, and closes what it had open.
 */
final class DeleterRoles {
    private static final long IDLE_MILLIS = 20;

    private final SweeperParts parts;
    private final VolumeConfig config;

    /** By number, as the next. */
    private final List<VolumeSource> sources;

    private final Map<Integer, FreedWith> media = new ConcurrentHashMap<>();

    /** What a deleter frees with, how that closes what it keeps open, and whether that is still what its path names. */
    private record FreedWith(Reclaimable<VolumeFile> medium, Runnable rest, BooleanSupplier there) {}

    DeleterRoles(SweeperParts parts) {
        this.parts = parts;
        config = parts.config;
        sources = Stream.generate(this::source).limit(config.deletersMax()).toList();
    }

    /** The role with this number, for a new thread. */
    VolumeSweeper.RoleStep role(int number) {
        VolumeSource source = sources.get(number);
        FreedWith with = freedWith(source);
        FreedWith before = media.put(number, with);
        if (before != null) {
            // its thread has died
            before.rest.run();
        }
        BooleanSupplier mayRemove = () -> parts.isOurs() && isStillThere(with);
        Marks marks = new Marks(
                config.thresholds().cleanup() / 100, config.thresholds().target() / 100);
        int batch = Math.max(1, config.batch() / config.deletersMax());
        GrantSpace space = new GrantSpace(marks, parts.grant, parts.cutoffs);
        VictimSource<VolumeFile> checked =
                (budget, leftOut) -> mayRemove.getAsBoolean() ? source.offers(budget, leftOut) : List.of();
        Deleter deleter = new Deleter(
                checked,
                with.medium,
                with.rest,
                space,
                marks,
                parts.grant,
                parts.due,
                parts.rate,
                parts.listener,
                batch,
                mayRemove,
                parts.early,
                parts.clocks);
        return () -> {
            if (deleter.step() == Deleter.Step.IDLE) {
                parts.grant.awaitGiven(IDLE_MILLIS);
            }
        };
    }

    private boolean isStillThere(FreedWith with) {
        boolean there = with.there.getAsBoolean();
        if (!there) {
            parts.grant.revoke();
            parts.listener.warn(
                    parts.root.cache() + " was moved away or replaced while files of it were going, or does not answer:"
                            + " nothing goes before it has been looked at again");
        }
        return there;
    }

    private VolumeSource source() {
        return new VolumeSource(
                parts.ready,
                parts.ranks,
                parts.grant,
                parts.cutoffs,
                parts.refused,
                parts.rate,
                parts.outstanding,
                () -> parts.activator.lower(parts.shards.share()),
                parts.shards::holds,
                config.queueMax());
    }

    private FreedWith freedWith(VolumeSource source) {
        if (config.mode() != SweepMode.RUN) {
            Rehearsal rehearsal = new Rehearsal(parts.rehearsal, parts.removals, source::settled);
            return new FreedWith(rehearsal, () -> {}, () -> true);
        }
        FileReclaimer reclaimer = new FileReclaimer(
                parts.calls,
                parts.root,
                config.layout(),
                config.recency(),
                parts.touches,
                parts.removals,
                parts.pace::stopping,
                source::settled);
        return new FreedWith(reclaimer, reclaimer::rest, reclaimer::isStillThere);
    }
}
