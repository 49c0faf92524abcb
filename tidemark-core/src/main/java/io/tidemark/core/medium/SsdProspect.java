package io.tidemark.core.medium;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What the next opening of a directory will come to, as far as its small files say. Found out without a byte written and
 * without the lock: a try to lock would get in the way of a server that starts.
 */
public sealed interface SsdProspect {
    /**
     * It opens.
     *
     * @param identity what the directory says of itself; empty: it is new
     * @param losses why blocks that lie there will be dropped
     */
    record Opens(Optional<SsdIdentity> identity, List<String> losses) implements SsdProspect {}

    /** It is left out where another directory works, and stops the start where none does. */
    record LeftOut(String why) implements SsdProspect {}

    /** It stops the start. */
    record Refused(String why) implements SsdProspect {}

    /** Looks at a directory, which may be missing. */
    static SsdProspect of(Sys sys, SsdOptions options) {
        try {
            return options.fresh() ? new Opens(Optional.empty(), List.of()) : DirectoryAccess.look(sys, options);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            return SsdOpening.isTrouble(e) ? new LeftOut(why) : new Refused(why);
        }
    }
}
