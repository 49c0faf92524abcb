package io.tidemark.core.volume;

import java.util.List;

/** What is due, no faster than files may go. */
record DueFiles(DueQueue queue, RateLimit rate) {
    /** Takes out what may go now, at most {@code max}. */
    List<VolumeFile> take(int max) {
        return queue.drain(rate.allow(max));
    }
}
