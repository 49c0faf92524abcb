package io.tidemark.bench.stress;

import io.tidemark.core.medium.Reclaimable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** The state word of a copy: of a reader that pins and an evictor that frees, one wins and the other sees it. */
@JCStressTest
@Description("A read pins a copy while the evictor frees it.")
@Outcome(id = "true, HELD", expect = Expect.ACCEPTABLE, desc = "The pin was first: the copy stays.")
@Outcome(id = "false, FREED", expect = Expect.ACCEPTABLE, desc = "The free was first: the copy is not found.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Freed under a reader, or kept for nobody.")
@State
public class PinAgainstFree {
    private final long copy = Blocks.store();

    /** The read. */
    @Actor
    public void reader(ZL_Result result) {
        result.r1 = Blocks.DRAM.copies().pin(copy);
    }

    /** The eviction. */
    @Actor
    public void evictor(ZL_Result result) {
        result.r2 = Blocks.DRAM.free(copy).outcome();
    }

    /** Gives the page back. */
    @Arbiter
    public void end(ZL_Result result) {
        if (result.r1 && result.r2 == Reclaimable.Outcome.HELD) {
            Blocks.DRAM.copies().unpin(copy);
            Blocks.DRAM.free(copy);
        }
    }
}
