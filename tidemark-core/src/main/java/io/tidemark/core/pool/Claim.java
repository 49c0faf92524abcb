package io.tidemark.core.pool;

import java.util.List;

/** What may be done about one proposed victim, decided under the locks of who owns it. */
public sealed interface Claim<H> {
    /** These are no longer findable, and are to be freed now. */
    record Free<H>(List<H> handles) implements Claim<H> {}

    /** A demotion is queued; these allocated bytes follow when it is done. */
    record Leaving<H>(long bytes) implements Claim<H> {}

    /** It is on its way out already. */
    record InFlight<H>() implements Claim<H> {}

    /** It is not there any more. */
    record Gone<H>() implements Claim<H> {}

    /** It may not go now: parked for a while. */
    record Held<H>() implements Claim<H> {}
}
