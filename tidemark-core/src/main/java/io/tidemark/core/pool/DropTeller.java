package io.tidemark.core.pool;

import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tells that blocks were dropped although a lower tier was to keep them: at the first ones, then once a minute as long as more
 * are, with how many and why. They are counted under locks, where nothing is logged. Of the thread that keeps the time.
 */
final class DropTeller {
    private static final System.Logger LOG = System.getLogger(DropTeller.class.getName());

    private final TransitionCounters counters;
    private final TierGraph graph;
    private final Consumer<String> log;
    private final Reason noSpace;
    private final Reason unhealthy;

    DropTeller(TransitionCounters counters, TierGraph graph, Clocks clocks) {
        this(counters, graph, clocks, line -> LOG.log(System.Logger.Level.WARNING, line));
    }

    /** As above, with another place for the lines. */
    DropTeller(TransitionCounters counters, TierGraph graph, Clocks clocks, Consumer<String> log) {
        this.counters = counters;
        this.graph = graph;
        this.log = log;
        noSpace = new Reason(TransitionCounters.NO_SPACE, clocks);
        unhealthy = new Reason(TransitionCounters.UNHEALTHY, clocks);
    }

    /** Tells what is due. */
    void tell() {
        noSpace.tell();
        unhealthy.tell();
    }

    private String cause(String reason) {
        if (reason.equals(TransitionCounters.NO_SPACE)) {
            return "no room came free below in time; that tier is too small for what is written, or too slow";
        }
        String sick = graph.backends().stream()
                .filter(backend -> !backend.medium.health().healthy())
                .map(backend -> backend.name() + " is out of use: "
                        + backend.medium.health().why())
                .collect(Collectors.joining("; "));
        return sick.isEmpty() ? "what is below was out of use, and is back" : sick;
    }

    /** Why blocks are dropped, and how many of these were told. */
    private final class Reason {
        private final String name;
        private final OnceAMinute due;
        private long told;

        private Reason(String name, Clocks clocks) {
            this.name = name;
            due = new OnceAMinute(clocks);
        }

        private void tell() {
            long now = counters.droppedOnlyCopies(name);
            if (now > told && due.isDue()) {
                log.accept((now - told) + " blocks were dropped that a lower tier was to keep, " + now + " so far ("
                        + name + "): " + cause(name));
                told = now;
            }
        }
    }
}
