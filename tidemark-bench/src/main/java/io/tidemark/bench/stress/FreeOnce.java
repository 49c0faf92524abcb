package io.tidemark.bench.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The account: of two that free the same copy, one gives its bytes back. */
@JCStressTest
@Description("Eviction and deletion free the same copy.")
@Outcome(
        id = {"4096, 0", "0, 4096"},
        expect = Expect.ACCEPTABLE,
        desc = "Freed once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Freed twice, or never.")
@State
public class FreeOnce {
    private final long copy = Blocks.store();

    /** One of them. */
    @Actor
    public void evictor(JJ_Result result) {
        result.r1 = Blocks.DRAM.free(copy).bytes();
    }

    /** The other. */
    @Actor
    public void deleter(JJ_Result result) {
        result.r2 = Blocks.DRAM.free(copy).bytes();
    }
}
