package io.tidemark.core.pool;

import java.util.List;
import java.util.Optional;

/**
 * A queued or running move of one block out of one backend.
 *
 * @param parts the copies in the source, one a part
 * @param bytes their allocated bytes
 * @param joint the device that is asked for space first, where it takes the block together with others; empty: it goes alone
 * @param giveUpNanos a demotion that finds no room by then is a drop
 * @param tries how often it found no room so far
 */
record Transition(
        Kind kind,
        int entry,
        Backend source,
        List<Part> parts,
        long bytes,
        Optional<Backend> joint,
        long giveUpNanos,
        int tries) {
    /** Which way. */
    enum Kind {
        DEMOTION,
        PROMOTION
    }

    /** One part of the block, by the copy that holds it. */
    record Part(long copy, int number) {}

    /** What a try came to. */
    enum Outcome {
        /** The block is in its new place. */
        LANDED,
        /** It was deleted, overwritten or evicted meanwhile, or is there already: nothing to do. */
        SKIPPED,
        /** No target had room. */
        NO_ROOM,
        /** No target works. */
        UNHEALTHY,
        /** The bytes in the source do not verify. */
        DAMAGED
    }

    /** The same after a try that found no room. */
    Transition again() {
        return new Transition(kind, entry, source, parts, bytes, joint, giveUpNanos, tries + 1);
    }

    /** The same, by itself from here on. */
    Transition alone() {
        return new Transition(kind, entry, source, parts, bytes, Optional.empty(), giveUpNanos, tries);
    }
}
