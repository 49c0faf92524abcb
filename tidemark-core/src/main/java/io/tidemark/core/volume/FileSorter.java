package io.tidemark.core.volume;

import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** What a crawler does with a file it has seen: count its age, keep it ready, or call it due. */
final class FileSorter {
    /** What clocks of nodes may differ by without being wrong. */
    private static final long CLOCKS_APART_SECONDS = 60;

    /** Number of no walk: of what is in no census. */
    private static final int NOT_COUNTED = -1;

    private final LongAdder ahead = new LongAdder();
    private final ReadyBuffer ready;
    private final DueQueue due;
    private final RehearsedFiles rehearsed;
    private final ModelRules rules;
    private final Layout layout;
    private final LastUse lastUse;
    private final long floorSeconds;
    private final long orphanSeconds;

    FileSorter(
            ReadyBuffer ready,
            DueQueue due,
            RehearsedFiles rehearsed,
            ModelRules rules,
            LastUse lastUse,
            long floorSeconds,
            long orphanSeconds) {
        this.ready = ready;
        this.due = due;
        this.rehearsed = rehearsed;
        this.rules = rules;
        this.lastUse = lastUse;
        this.layout = lastUse.layout();
        this.floorSeconds = floorSeconds;
        this.orphanSeconds = orphanSeconds;
    }

    /** What became of a file. */
    enum Sorted {
        READY,
        HOT,
        LEFT
    }

    /** Takes in a block, seen {@code now} (seconds since 1970). */
    Sorted block(
            RankDir rank,
            PackedPath path,
            Name name,
            MemorySegment facts,
            long now,
            AgeHistogram ages,
            boolean sample) {
        long bytes = StatxBuffer.allocatedBytes(facts);
        long recency = lastUse.seconds(rank, name, facts);
        ages.add(recency, bytes);
        if (sample) {
            return Sorted.LEFT;
        }
        if (recency > now + CLOCKS_APART_SECONDS) {
            ahead.increment();
        }
        if (isRehearsed(rank, path, name)) {
            return Sorted.LEFT;
        }
        Optional<RemovalCause> cause = rules.isEmpty() ? Optional.empty() : dueByRule(rank, name, recency, bytes, now);
        if (cause.isPresent() && offerDue(rank, path, name, new Seen(recency, bytes, ages.walk()), cause.get())) {
            return Sorted.READY;
        }
        if (ready.intake().admits(recency)) {
            path.file(name);
            if (ready.add(rank, path, name, new Seen(recency, bytes, ages.walk()))) {
                return now - recency < floorSeconds ? Sorted.HOT : Sorted.READY;
            }
        }
        return now - recency < floorSeconds ? Sorted.HOT : Sorted.LEFT;
    }

    private Optional<RemovalCause> dueByRule(RankDir rank, Name name, long recency, long bytes, long now) {
        Optional<String> named = layout.model(name);
        named.ifPresent(model -> rules.count(model, recency, bytes, now));
        return rules.due(named.orElse(rank.modelLabel()), recency, bytes, now);
    }

    /** A file that a rehearsal has listed is gone as far as it is concerned. */
    private boolean isRehearsed(RankDir rank, PackedPath path, Name name) {
        return !rehearsed.isEmpty() && rehearsed.found(rank, path.path(name));
    }

    /** A walk begins. */
    void walkBegins() {
        ahead.reset();
        rehearsed.walkBegins();
    }

    /** Files of the walk that bear stamps ahead of our clock. */
    long ahead() {
        return ahead.sum();
    }

    private boolean offerDue(RankDir rank, PackedPath path, Name name, Seen seen, RemovalCause cause) {
        path.file(name);
        int hash = ReadySlots.hash(rank.id(), path, name);
        return due.offer(new VolumeFile(rank, path.path(name), hash, path.leafLength(), seen, cause));
    }

    /** Takes in what a writer may have left behind: due once it has not changed for long. */
    void orphan(RankDir rank, PackedPath path, Name name, MemorySegment facts, long now) {
        long modified = StatxBuffer.modifiedSeconds(facts);
        if (now - modified > orphanSeconds && !isRehearsed(rank, path, name)) {
            offerDue(
                    rank,
                    path,
                    name,
                    new Seen(modified, StatxBuffer.allocatedBytes(facts), NOT_COUNTED),
                    RemovalCause.ORPHAN);
        }
    }
}
