package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One schedule of several sweepers on one volume, by its seed: governors, grants and rounds as they are, files that are
 * numbers, clocks of their own. A sweeper measures before each batch, as deleters do, and removes one file at a time, so that
 * anything may happen in between.
 */
final class JointSchedule {
    private static final long TOTAL_BYTES = 1_000_000;
    private static final Thresholds THRESHOLDS = new Thresholds(85, 70, 95, 0);
    private static final long TARGET_BYTES = TOTAL_BYTES * 70 / 100;
    private static final int FILE_BYTES_MAX = 900;
    private static final int BATCH = 20;
    private static final int SWEEPERS_MAX = 4;
    private static final int TICK_MILLIS_MAX = 180;
    private static final int LOOK_MILLIS = 500;
    private static final int KEEPER_MILLIS = 2_000;
    private static final int FREES_A_TICK_MAX = 12;
    private static final int TROUBLE_MILLIS = 60_000;

    /** After so long everybody has seen everybody. */
    private static final int ACQUAINTED_MILLIS = 8_000;

    /** What everything may take to come to its end: leases of the dead, times of quiet, a round or two. */
    private static final int CALM_MILLIS = 150_000;

    private static final int GIVEN_BACK_MILLIS = 2_000;
    private static final int ROUNDS_OF_CALM_MAX = 12;

    private final long seed;
    private final Sharing sharing;
    private final Trouble kind;
    private final Random random;
    private final List<Sweeper> sweepers = new ArrayList<>();
    private final Deque<Freed> shownLater = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private long nowMillis = 1_000;
    private long usedBytes;
    private long hiddenBytes;
    private int joined;
    private int largestCrowd;
    private String problem = "";

    /** What may happen. */
    enum Trouble {
        /** Everything, to sweepers whose volume shows at once what was freed. */
        ANY,
        /** Sweepers that know each other die; the volume shows late what was freed. */
        LATE_AND_DEATHS
    }

    private record Freed(long visibleMillis, long bytes) {}

    JointSchedule(long seed, Sharing sharing, Trouble kind) {
        this.seed = seed;
        this.sharing = sharing;
        this.kind = kind;
        this.random = new Random(seed);
        this.usedBytes = TOTAL_BYTES * (kind == Trouble.ANY ? 80 + random(16) : 80) / 100;
        int first = kind == Trouble.ANY ? 1 + random(SWEEPERS_MAX) : 2 + random(SWEEPERS_MAX - 1);
        for (int i = 0; i < first; i++) {
            join();
        }
    }

    /** The clock that nobody reads. */
    long nowMillis() {
        return nowMillis;
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    /** What went wrong; empty when nothing did. */
    String problem() {
        return problem;
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + String.join("\n", events);
    }

    private void happens(String what) {
        events.add(nowMillis + " ms, " + 100 * usedBytes / TOTAL_BYTES + " %: " + what);
    }

    private void fails(String what) {
        happens(what);
        problem = problem.isEmpty() ? what : problem;
    }

    /** A minute in which things happen. */
    void trouble() throws IOException {
        long end = nowMillis + TROUBLE_MILLIS;
        while (nowMillis < end && problem.isEmpty()) {
            switch (kind) {
                case ANY -> anything();
                case LATE_AND_DEATHS -> fillsAndDies();
            }
            tick();
        }
    }

    /** From here on nothing happens but what sweepers do: every round has to end. */
    void calm() throws IOException {
        happens("calm");
        long end = nowMillis + CALM_MILLIS;
        long round = lastRound();
        while (nowMillis < end && problem.isEmpty() && !isAtRest()) {
            tick();
        }
        if (!isAtRest()) {
            fails("still deleting");
        }
        if (lastRound() - round > ROUNDS_OF_CALM_MAX) {
            fails(lastRound() - round + " rounds");
        }
    }

    private long lastRound() {
        return sweepers.stream()
                .mapToLong(one -> one.deletion.shown().number())
                .max()
                .orElse(0);
    }

    private boolean isAtRest() {
        boolean off = sweepers.stream()
                .allMatch(one -> !one.governor.on()
                        && one.left == 0
                        && one.deletion.last().over());
        return off && shownLater.isEmpty() && (sweepers.isEmpty() || usedBytes < TOTAL_BYTES * 85 / 100);
    }

    private void anything() throws IOException {
        int what = random(120);
        switch (what) {
            case 0 -> join();
            case 1 -> dies(random(3));
            case 2, 3 -> any().ifAwake(Sweeper::freeze);
            case 4 -> any().ifAwake(one -> one.clock.jump());
            case 5, 6 -> write();
            default -> {}
        }
    }

    private void fillsAndDies() throws IOException {
        boolean first = usedBytes == TOTAL_BYTES * 80 / 100;
        if (first && nowMillis > ACQUAINTED_MILLIS) {
            write(TOTAL_BYTES * (5 + random(10)) / 100);
        } else if (!first) {
            dies(random(300));
        }
    }

    private void write() {
        write(random((int) TOTAL_BYTES / 8));
    }

    private void write(long bytes) {
        long more = Math.min(TOTAL_BYTES - usedBytes, bytes);
        usedBytes += more;
        happens(more + " bytes written");
    }

    private void join() {
        if (sweepers.size() < SWEEPERS_MAX) {
            sweepers.add(new Sweeper("s" + joined++));
            largestCrowd = Math.max(largestCrowd, sweepers.size());
        }
    }

    /** The last of them stays. */
    private void dies(int chance) throws IOException {
        if (chance < 2 && sweepers.size() > 1) {
            Sweeper dead = sweepers.remove(random(sweepers.size()));
            happens(dead.id + (chance == 0 ? " ends" : " dies"));
            if (chance == 0) {
                dead.member.release();
            }
        }
    }

    private Sweeper any() {
        return sweepers.get(random(sweepers.size()));
    }

    private void tick() throws IOException {
        int millis = 20 + random(TICK_MILLIS_MAX - 20);
        nowMillis += millis;
        while (!shownLater.isEmpty() && shownLater.peek().visibleMillis <= nowMillis) {
            hiddenBytes -= shownLater.remove().bytes;
        }
        sweepers.forEach(one -> one.timePasses(millis));
        List<Sweeper> order = new ArrayList<>(sweepers);
        Collections.shuffle(order, random);
        for (Sweeper one : order) {
            one.act();
        }
    }

    private Usage usage() {
        return new Usage(usedBytes + hiddenBytes, TOTAL_BYTES, 0, 0);
    }

    private void freed(long bytes) {
        usedBytes -= bytes;
        if (kind == Trouble.LATE_AND_DEATHS) {
            hiddenBytes += bytes;
            shownLater.add(new Freed(nowMillis + GIVEN_BACK_MILLIS, bytes));
        }
        long batches = (long) largestCrowd * BATCH * FILE_BYTES_MAX;
        if (usedBytes < TARGET_BYTES - batches) {
            fails((TARGET_BYTES - usedBytes) + " bytes below the target; expected no more than " + batches);
        }
    }

    /** Time of one sweeper. */
    private final class OwnClock implements Clocks {
        private long nanos = TimeUnit.MILLISECONDS.toNanos(random(1_000_000));
        private long wall = random(1_000_000_000);

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return wall;
        }

        private void passes(long millis) {
            nanos += TimeUnit.MILLISECONDS.toNanos(millis);
            wall += millis;
        }

        /** As after a machine has slept, or when somebody sets its clock. */
        private void jump() {
            wall += random(1_000_000) - 500_000;
            nanos += TimeUnit.MILLISECONDS.toNanos(random(40_000));
        }
    }

    private final class Sweeper {
        private final String id;
        private final OwnClock clock = new OwnClock();
        private final JointDeletion deletion = new JointDeletion();
        private final DeletionGrant grant = new DeletionGrant(clock);
        private final Governor governor =
                new Governor(THRESHOLDS, grant, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS), deletion, clock);
        private final Sharing.Member member;
        private long lookMillis = nowMillis + random(LOOK_MILLIS);
        private long keeperMillis = nowMillis + random(KEEPER_MILLIS);
        private long frozenMillis;
        private boolean clockStands;

        /** Files left of its batch, and bytes that it may come to. */
        private int left;

        private long leftBytes;

        Sweeper(String id) {
            this.id = id;
            this.member = sharing.join(id, clock, deletion);
            happens(id + " comes");
        }

        private void ifAwake(Consumer<Sweeper> what) {
            if (frozenMillis <= nowMillis) {
                what.accept(this);
            }
        }

        /** As a process that is stopped, or a machine whose clock stands meanwhile. */
        private void freeze() {
            frozenMillis = nowMillis + random(30_000);
            clockStands = random.nextBoolean();
            happens(id + " stands until " + frozenMillis + (clockStands ? " with its clock" : ""));
        }

        private void timePasses(long millis) {
            if (frozenMillis <= nowMillis || !clockStands) {
                clock.passes(millis);
            }
        }

        private void act() throws IOException {
            if (frozenMillis > nowMillis) {
                return;
            }
            if (keeperMillis <= nowMillis) {
                member.step(JointSchedule.this);
                keeperMillis = nowMillis + KEEPER_MILLIS / 2 + random(KEEPER_MILLIS / 2);
                lookMillis = deletion.called().isPresent() ? nowMillis : lookMillis;
            }
            if (lookMillis <= nowMillis) {
                Governor.Change change = governor.observe(usage(), member.share());
                lookMillis = nowMillis + LOOK_MILLIS;
                if (change != Governor.Change.NONE) {
                    happens(id + " " + change + " in " + deletion.last() + " with a share of " + member.share());
                }
            }
            for (int i = random(FREES_A_TICK_MAX); i > 0; i--) {
                free();
            }
        }

        private void free() {
            if (left == 0) {
                governor.lower(usage(), member.share());
                left = grant.open() ? BATCH : 0;
                leftBytes = grant.remainingBytes();
            }
            if (left > 0) {
                long bytes = 1L + random(FILE_BYTES_MAX);
                long taken = grant.take(bytes);
                if (random(30) == 0) {
                    grant.putBack(taken, bytes);
                } else {
                    freed(bytes);
                    leftBytes -= bytes;
                }
                left = leftBytes <= 0 ? 0 : left - 1;
            }
        }
    }
}
