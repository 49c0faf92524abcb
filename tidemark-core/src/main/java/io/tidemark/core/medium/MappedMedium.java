package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** A medium whose bytes can be addressed in place, so that sockets read into and write from it. */
public interface MappedMedium extends Medium {
    /**
     * The bytes of a copy in order; the sizes add up to the block's size (none for an empty block). Valid while the
     * caller holds the reservation or a pin.
     */
    List<MemorySegment> segments(long copy);
}
