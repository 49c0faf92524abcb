package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Records as lease files hold them, in memory, each seen by the others up to so many milliseconds after it was written:
 * as a client of a network file system sees files. All have equal shares of the volume.
 */
final class SharedRecords implements Sharing {
    private final int lateMillis;
    private final Map<String, List<Shown>> written = new HashMap<>();

    SharedRecords(int lateMillis) {
        this.lateMillis = lateMillis;
    }

    private record Shown(long atMillis, DeletionRound round) {}

    /** What one has read of another, and since when by its own clock it has not changed. */
    private record Read(Shown shown, long sinceNanos) {}

    @Override
    public Member join(String id, Clocks clocks, JointDeletion deletion) {
        Map<String, Read> read = new HashMap<>();
        return new Member() {
            private double share;

            @Override
            public void step(JointSchedule schedule) {
                long now = schedule.nowMillis();
                written.computeIfAbsent(id, absent -> new ArrayList<>()).add(new Shown(now, deletion.shown()));
                List<DeletionRound> rounds = new ArrayList<>();
                written.forEach((other, shown) -> {
                    if (!other.equals(id)) {
                        long seen = now - schedule.random(lateMillis + 1);
                        shown.stream()
                                .filter(one -> one.atMillis <= seen)
                                .reduce((before, after) -> after)
                                .ifPresent(last -> note(other, last));
                        if (read.containsKey(other) && isAlive(read.get(other))) {
                            rounds.add(read.get(other).shown.round);
                        }
                    }
                });
                read.keySet().retainAll(written.keySet());
                deletion.others(rounds);
                share = 1.0 / (1 + rounds.size());
            }

            private void note(String other, Shown last) {
                Read before = read.get(other);
                if (before == null || before.shown.atMillis < last.atMillis) {
                    read.put(other, new Read(last, clocks.monotonicNanos()));
                }
            }

            private boolean isAlive(Read one) {
                return clocks.monotonicNanos() - one.sinceNanos < LeasedShards.LAST_NANOS;
            }

            @Override
            public double share() {
                return share;
            }

            @Override
            public void release() {
                written.remove(id);
            }
        };
    }
}
