package io.tidemark.core.pool;

import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Outcome;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of moves between tiers, and of blocks that were to go and did not move. */
final class TransitionCounters {
    /** Why a block was dropped that a lower tier was to keep: nothing there had room in time, or nothing there works. */
    static final String NO_SPACE = "no_space";

    static final String UNHEALTHY = "unhealthy";

    private final Map<Kind, Map<Outcome, LongAdder>> ended = new EnumMap<>(Kind.class);
    private final Map<String, LongAdder> droppedOnlyCopies = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> notDemoted = new ConcurrentHashMap<>();
    private final LongAdder retries = new LongAdder();

    TransitionCounters() {
        for (Kind kind : Kind.values()) {
            Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                outcomes.put(outcome, new LongAdder());
            }
            ended.put(kind, outcomes);
        }
        droppedOnlyCopies.put(NO_SPACE, new LongAdder());
        droppedOnlyCopies.put(UNHEALTHY, new LongAdder());
        notDemoted.put("no_downstream", new LongAdder());
        notDemoted.put("incomplete_tail", new LongAdder());
    }

    void ended(Kind kind, Outcome outcome) {
        ended.getOrDefault(kind, Map.of())
                .getOrDefault(outcome, new LongAdder())
                .increment();
    }

    void retried() {
        retries.increment();
    }

    /** A block that a lower tier wanted was dropped. */
    void droppedOnlyCopy(String reason) {
        droppedOnlyCopies.computeIfAbsent(reason, any -> new LongAdder()).increment();
    }

    /** Blocks that a lower tier wanted and that were dropped for this reason. */
    long droppedOnlyCopies(String reason) {
        return droppedOnlyCopies.getOrDefault(reason, new LongAdder()).sum();
    }

    /** The last copy of a block that no lower tier wanted was dropped. */
    void notDemoted(String reason) {
        notDemoted.computeIfAbsent(reason, any -> new LongAdder()).increment();
    }

    void show(CounterVisitor visitor) {
        ended.forEach((kind, outcomes) -> outcomes.forEach((outcome, count) -> visitor.counter(
                "tidemark_transitions_total",
                "Moves between tiers by their outcome.",
                count.sum(),
                "kind",
                kind.name().toLowerCase(Locale.ROOT),
                "outcome",
                outcome.name().toLowerCase(Locale.ROOT))));
        visitor.counter("tidemark_demotion_retries_total", "Demotions that waited for room.", retries.sum());
        droppedOnlyCopies.forEach((reason, count) -> visitor.counter(
                "tidemark_dropped_only_copy_total",
                "Blocks dropped although a lower tier wanted them.",
                count.sum(),
                "reason",
                reason));
        notDemoted.forEach((reason, count) -> visitor.counter(
                "tidemark_not_demoted_total",
                "Last copies dropped that no lower tier wanted.",
                count.sum(),
                "reason",
                reason));
    }
}
