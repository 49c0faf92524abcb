package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Which files a walk brings into the {@link ReadyBuffer}, by last use (seconds since 1970), and up to which last use those of
 * the walks before are there without a gap: only among these does the order of the buffer alone say what is coldest. A file
 * hotter than that may be there while a colder one, of a shard that was walked under a stricter cut-off or when there was no
 * room, is not.
 *
 * <p>Guarded by itself, a leaf; held for a few comparisons. Crawlers ask {@link #admits} without it.
 */
final class Intake {
    /** Files last used after this are not taken. */
    private volatile long admittedSeconds = Long.MAX_VALUE;

    /** Up to here all files that walks have seen were taken; {@link Long#MIN_VALUE} before the first walk has ended. */
    @GuardedBy("this")
    private long gaplessSeconds = Long.MIN_VALUE;

    /** The strictest that the walk going on was. */
    @GuardedBy("this")
    private long strictestSeconds = Long.MAX_VALUE;

    /** From here on files last used after this moment are not taken. */
    synchronized void until(long recencySeconds) {
        admittedSeconds = recencySeconds;
        strictestSeconds = Math.min(strictestSeconds, recencySeconds);
    }

    /** Whether a file last used at this moment has a chance to be taken. */
    boolean admits(long recencySeconds) {
        return recencySeconds <= admittedSeconds;
    }

    /** Says that there was no room for any file as hot as this one: none is taken until {@link #until} is called again. */
    synchronized void full(long recencySeconds) {
        admittedSeconds = Math.min(admittedSeconds, recencySeconds - 1);
        leftOut(recencySeconds);
    }

    /** Says that there was no room for a file, or no longer: from its last use on there are gaps. */
    synchronized void leftOut(long recencySeconds) {
        strictestSeconds = Math.min(strictestSeconds, recencySeconds - 1);
        gaplessSeconds = Math.min(gaplessSeconds, recencySeconds - 1);
    }

    /** A walk begins: what is used or written from this moment on it may have passed already. */
    synchronized void walkBegins(long nowSeconds) {
        strictestSeconds = Math.min(admittedSeconds, nowSeconds);
    }

    /**
     * A walk has gone over all shards.
     *
     * @param foundAny a walk that found no file says nothing of those that turn up later (a mount that came late)
     */
    synchronized void walkEnds(boolean foundAny) {
        gaplessSeconds = foundAny ? strictestSeconds : Long.MIN_VALUE;
    }

    /** Last use up to which no file is missing; {@link Long#MIN_VALUE} as long as that is not known of any. */
    synchronized long gaplessSeconds() {
        return gaplessSeconds;
    }
}
