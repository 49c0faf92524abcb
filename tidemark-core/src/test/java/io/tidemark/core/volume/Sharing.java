package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;

/** How the sweepers of a {@link JointSchedule} learn of each other. */
interface Sharing {
    Member join(String id, Clocks clocks, JointDeletion deletion);

    /** One sweeper's place among them. */
    interface Member {
        /** Shows that it is there, and its round; reads what the others show. */
        void step(JointSchedule schedule) throws IOException;

        /** Its share of what is to be freed. */
        double share();

        /** Gives everything up. */
        void release() throws IOException;
    }
}
