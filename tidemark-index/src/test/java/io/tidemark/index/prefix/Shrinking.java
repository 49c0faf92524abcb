package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Runs random steps; when they fail, drops steps as long as the rest still fails, and reports what is left. */
final class Shrinking {
    /** A fresh subject that takes steps and is finished at the end. */
    interface Subject {
        void step(TreeStep step);

        void finish();
    }

    private Shrinking() {}

    /** Throws an error with the seed and the shortest failing steps found, if any fail. */
    static void check(String what, long seed, int count, Supplier<Subject> subjects) {
        List<TreeStep> steps = steps(seed, count);
        Optional<Throwable> failure = failure(steps, subjects);
        if (failure.isEmpty()) {
            return;
        }
        for (int chunk = steps.size() / 2; chunk > 0; chunk /= 2) {
            for (int from = 0; from + chunk <= steps.size(); ) {
                List<TreeStep> fewer = new ArrayList<>(steps);
                fewer.subList(from, from + chunk).clear();
                Optional<Throwable> still = failure(fewer, subjects);
                if (still.isPresent()) {
                    steps = fewer;
                    failure = still;
                } else {
                    from += chunk;
                }
            }
        }
        throw new AssertionError(what + ", seed " + seed + ", shrunk to " + steps, failure.get());
    }

    /** What the steps of a seed fail with. */
    static Optional<Throwable> failure(long seed, int count, Supplier<Subject> subjects) {
        return failure(steps(seed, count), subjects);
    }

    private static Optional<Throwable> failure(List<TreeStep> steps, Supplier<Subject> subjects) {
        try {
            Subject subject = subjects.get();
            steps.forEach(subject::step);
            subject.finish();
            return Optional.empty();
        } catch (RuntimeException | AssertionError e) {
            return Optional.of(e);
        }
    }

    private static List<TreeStep> steps(long seed, int count) {
        Random random = new Random(seed);
        List<TreeStep> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(TreeStep.random(random));
        }
        return steps;
    }
}
