package io.tidemark.core.volume;

/**
 * Takes files that have gone out of what walks have found: out of the ready buffer, where one is again that a walk came to while
 * a deleter held it, and out of the count of the last walk that has seen it.
 */
record GoneFiles(Layout layout, ReadyBuffer ready, Census census) {
    /**
     * Forgets a file.
     *
     * @param wasThere whether it was there until now; else somebody else has removed it, nobody knows when
     */
    void forget(VolumeFile file, boolean wasThere) {
        Seen last = ready.remove(file).orElse(file.seen());
        int digit = file.shard(layout);
        if (digit >= 0 && file.cause() != RemovalCause.ORPHAN) {
            census.removed(file.rank().id(), digit, last, file.pathHash(), wasThere);
        }
    }
}
