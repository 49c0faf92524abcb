package io.tidemark.core.medium;

import java.util.function.BooleanSupplier;

/** Writes of a medium that wait for its reads, as long as the space that they give elsewhere is not short. */
public interface HurriedWrites {
    /**
     * Says while which that space is short; it is not, until this is called.
     *
     * @param wanted asked at each write, maybe by several threads at once; locks nothing but a ledger
     */
    void hurryWhile(BooleanSupplier wanted);
}
