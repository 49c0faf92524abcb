package io.tidemark.core.medium;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Pins, moves, ends and frees of few copies, from several threads at once, look as if they came one by one. */
@Param(name = "copy", gen = IntGen.class, conf = "0:1")
public class CopyTableLincheckTest {
    private static final int PAGE = 4096;

    private final Ledger ledger = new Ledger(2 * PAGE);
    private final CopyTable table = new CopyTable(ledger, PAGE, 2);
    private final long[] copies = new long[2];

    /** Two copies that are there. */
    public CopyTableLincheckTest() {
        table.trackOrder("lru");
        ledger.touched(2 * PAGE);
        for (int i = 0; i < copies.length; i++) {
            if (!ledger.reserve(PAGE)) {
                throw new IllegalStateException("no room for two pages in two pages");
            }
            copies[i] = table.reserve(1, i);
            table.commit(copies[i]);
        }
    }

    @Operation
    public boolean pin(@Param(name = "copy") int copy) {
        return table.pin(copies[copy], PAGE);
    }

    /** Whether it had a pin, and was the last one of a copy that is to be freed. */
    @Operation
    public String unpin(@Param(name = "copy") int copy) {
        try {
            return String.valueOf(table.unpinUsed(copies[copy]));
        } catch (IllegalStateException e) {
            return "no pin";
        }
    }

    @Operation
    public boolean beginMove(@Param(name = "copy") int copy) {
        return table.beginMove(copies[copy]);
    }

    @Operation
    public String endMove(@Param(name = "copy") int copy) {
        try {
            return String.valueOf(table.endMove(copies[copy]));
        } catch (IllegalStateException e) {
            return "no move";
        }
    }

    @Operation
    public boolean doom(@Param(name = "copy") int copy) {
        return table.doom(copies[copy]);
    }

    @Operation
    public Reclaimable.Outcome retire(@Param(name = "copy") int copy) {
        return table.retire(copies[copy]);
    }

    @Operation
    public CopyState state(@Param(name = "copy") int copy) {
        return table.state(copies[copy]);
    }

    @Operation
    public long pinned() {
        return table.pinnedBytes();
    }

    @Operation
    public int evictable() {
        return table.order().size();
    }

    @Test
    void statesPinsAndOrderAreLinearizable() {
        new StressOptions()
                .iterations(15)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .check(CopyTableLincheckTest.class);
    }
}
