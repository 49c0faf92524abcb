package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Through lease files. */
record LeasedShards(Path folder) implements Sharing {
    static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(15);

    @Override
    public Member join(String id, Clocks clocks, JointDeletion deletion) {
        ShardLeases leases = new ShardLeases(folder, id, clocks, LAST_NANOS, other -> false, deletion);
        return new Member() {
            @Override
            public void step(JointSchedule schedule) throws IOException {
                leases.step();
            }

            @Override
            public double share() {
                return (double) leases.held().size() / BucketList.DIGITS;
            }

            @Override
            public void release() throws IOException {
                leases.release();
            }
        };
    }
}
