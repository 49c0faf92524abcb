package io.tidemark.core.volume;

import io.tidemark.core.medium.VictimSource;
import io.tidemark.core.pool.Evictor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The deleters' roles: what each takes its files from and frees them with. A thread that takes the place of one that died
 * takes over what that had taken from the buffer, and closes what it had open.
 */
final class DeleterRoles {
    private static final long IDLE_MILLIS = 20;

    /** What a step waits for the volume to take removals again, at most. */
    private static final long PAUSE_MILLIS = 500;

    /** Files due that go between two looks at the grant. */
    private static final int DUE_BATCH = 256;

    private final List<VolumeSource> sources;
    private final Function<VolumeSource, DeleterMedium> media;
    private final RemovalGuard guard;
    private final EvictorSettings settings;
    private final DueFiles due;
    private final VolumeRefusals refusals;
    private final DeletionGrant grant;
    private final EarlyLook early;
    private final VolumeListener listener;
    private final Map<Integer, DeleterMedium> mediaInUse = new ConcurrentHashMap<>();

    /**
     * The roles.
     *
     * @param sources one for each deleter, by its number
     * @param media makes what files of a source are freed with
     */
    DeleterRoles(
            List<VolumeSource> sources,
            Function<VolumeSource, DeleterMedium> media,
            RemovalGuard guard,
            EvictorSettings settings,
            DueFiles due,
            VolumeRefusals refusals,
            DeletionGrant grant,
            EarlyLook early,
            VolumeListener listener) {
        this.sources = List.copyOf(sources);
        this.media = media;
        this.guard = guard;
        this.settings = settings;
        this.due = due;
        this.refusals = refusals;
        this.grant = grant;
        this.early = early;
        this.listener = listener;
    }

    /** The role with this number, for a new thread. */
    VolumeSweeper.RoleStep role(int number) {
        VolumeSource source = sources.get(number);
        DeleterMedium with = media.apply(source);
        DeleterMedium before = mediaInUse.put(number, with);
        if (before != null) {
            // its thread has died
            before.rest().run();
        }
        VictimSource<VolumeFile> guarded =
                (budget, leftOut) -> guard.allows(with) ? source.offers(budget, leftOut) : List.of();
        Evictor<VolumeFile> evictor = settings.evictor(guarded, with.medium());
        Deleter deleter = new Deleter(
                evictor,
                () -> guard.allows(with),
                () -> due.take(DUE_BATCH),
                refusals,
                with.rest(),
                grant,
                early,
                listener);
        return () -> {
            if (refusals.pausing()) {
                refusals.await(PAUSE_MILLIS);
            } else if (deleter.step() == Deleter.Step.IDLE) {
                grant.awaitGiven(IDLE_MILLIS);
            }
        };
    }
}
