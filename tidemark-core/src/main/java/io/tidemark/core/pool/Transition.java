package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A queued or running move of one block out of one backend.
 *
 * @param entry its id, as an object: what is noted under it is taken back without asking for memory
 * @param parts the copies in the source, one a part
 * @param bytes their allocated bytes
 * @param joint the device that is asked for space first, where it takes the block together with others; empty: it goes alone
 * @param giveUpNanos a demotion that finds no room by then is a drop
 * @param tries how often it found no room so far
 * @param reach where this try has made a copy by now
 */
record Transition(
        Kind kind,
        Integer entry,
        Backend source,
        List<Part> parts,
        long bytes,
        Optional<Backend> joint,
        long giveUpNanos,
        int tries,
        Reach reach) {
    /** Which way. */
    enum Kind {
        DEMOTION,
        PROMOTION
    }

    /** One part of the block, by the copy that holds it. */
    record Part(long copy, int number) {}

    /**
     * The devices on which a try may have recorded the block by now. Told by the worker that makes it, before it records
     * anything there; read by who discards the block meanwhile.
     */
    static final class Reach {
        /** As often as parts of the block are made there. */
        private volatile List<Backend> devices = List.of();

        void begins(Backend device) {
            List<Backend> more = new ArrayList<>(devices);
            more.add(device);
            devices = more;
        }

        /** What was made there is given back, and its end noted. */
        void ends(Backend device) {
            List<Backend> fewer = new ArrayList<>(devices);
            fewer.remove(device);
            devices = fewer;
        }

        List<Backend> devices() {
            return devices.stream().distinct().toList();
        }
    }

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
        return new Transition(kind, entry, source, parts, bytes, joint, giveUpNanos, tries + 1, new Reach());
    }

    /** The same, by itself from here on. */
    Transition alone() {
        return new Transition(kind, entry, source, parts, bytes, Optional.empty(), giveUpNanos, tries, new Reach());
    }
}
