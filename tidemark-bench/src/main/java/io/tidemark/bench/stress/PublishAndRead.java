package io.tidemark.bench.stress;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Publish after write: bytes are written without an order of their own, and who finds the copy sees all of them. */
@JCStressTest
@Description("A put writes its bytes and commits; a read that finds the copy reads first and last bytes.")
@Outcome(id = "MISS, MISS", expect = Expect.ACCEPTABLE, desc = "Not committed yet.")
@Outcome(id = "MINE, MINE", expect = Expect.ACCEPTABLE, desc = "Committed: the bytes are there.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Found before its bytes, or with those of an earlier block in the page.")
@State
public class PublishAndRead {
    /** What a read found. */
    enum Seen {
        MISS,
        MINE,
        OTHER
    }

    private static final AtomicLong VALUES = new AtomicLong();
    private static final long LAST = Blocks.PAGE_BYTES - Long.BYTES;

    private final long copy = Blocks.reserve();
    /** Differs from whatever the page held before. */
    private final long value = VALUES.incrementAndGet();

    /** The put. */
    @Actor
    public void writer() {
        MemorySegment page = Blocks.page(copy);
        page.set(ValueLayout.JAVA_LONG, 0, value);
        page.set(ValueLayout.JAVA_LONG, LAST, value);
        Blocks.commit(copy);
    }

    /** The read. */
    @Actor
    public void reader(LL_Result result) {
        result.r1 = Seen.MISS;
        result.r2 = Seen.MISS;
        if (Blocks.DRAM.copies().pin(copy)) {
            MemorySegment page = Blocks.page(copy);
            result.r2 = seen(page, LAST);
            result.r1 = seen(page, 0);
            Blocks.DRAM.copies().unpin(copy);
        }
    }

    private Seen seen(MemorySegment page, long offset) {
        return page.get(ValueLayout.JAVA_LONG, offset) == value ? Seen.MINE : Seen.OTHER;
    }

    /** Gives the page back. */
    @Arbiter
    public void end(LL_Result result) {
        Blocks.DRAM.free(copy);
    }
}
