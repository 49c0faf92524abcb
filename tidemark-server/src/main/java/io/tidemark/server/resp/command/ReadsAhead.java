package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.CopyInfo;
import io.tidemark.core.pool.Ranges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads of MGET's next values, begun while one before them waits for its device, so that a device has more than one to do.
 * Values in memory are not read ahead: that would hold them for nothing.
 *
 * <p>Bounded: {@value #READS} reads, and a small share of the memory for values from devices; keys are looked at no further
 * than {@value #REACH} on. All of it is let go of when any read is refused, as that may be for want of what these hold.
 * Belongs to an event loop.
 */
final class ReadsAhead {
    /** More than a device has threads, so that none waits for this event loop. */
    private static final int READS = 8;

    private static final int REACH = 64;
    /** Of the memory for values from devices, what one command may hold so. */
    private static final int SHARE = 32;

    /** A read that was begun. */
    private record Begun(PendingRead read, long bytes) {}

    private final Call call;
    private final String memory;
    private final long mostBytes;
    private final Map<Integer, Begun> begun = new HashMap<>();
    private long bytes;
    /** The keys before this index were looked at. */
    private int reached;

    private boolean over;

    ReadsAhead(Call call) {
        this.call = call;
        memory = call.pool().config().tiers().getFirst().name();
        mostBytes = call.pool().config().deviceReads().stagedBytes() / SHARE;
        over = !call.below().exists();
    }

    /** Begins reads of keys after this index, as far as the bounds go. */
    void goOn(int index) {
        reached = Math.max(reached, index + 1);
        int end = Math.min(call.count(), index + REACH);
        while (!over && reached < end && begun.size() < READS) {
            BlockKey key = call.key(reached);
            List<CopyInfo> copies = call.pool().where(key);
            if (!copies.isEmpty() && !copies.getFirst().tier().equals(memory)) {
                long more = copies.getFirst().bytes();
                if (bytes + more > mostBytes) {
                    return;
                }
                bytes += more;
                begun.put(reached, new Begun(call.startRead(key, Ranges.WHOLE), more));
            }
            reached++;
        }
    }

    /** The read of this index, where it was begun; it belongs to the caller then. */
    Optional<PendingRead> take(int index) {
        Optional<Begun> taken = Optional.ofNullable(begun.remove(index));
        taken.ifPresent(read -> bytes -= read.bytes());
        return taken.map(Begun::read);
    }

    /** The client takes what comes before: none of these has stalled. */
    void progressed() {
        begun.values().forEach(each -> each.read().progressed());
    }

    /** Lets go of every read, and begins none any more. Whether there was one. */
    boolean end() {
        over = true;
        boolean some = !begun.isEmpty();
        begun.values().forEach(each -> each.read().cancel());
        begun.clear();
        bytes = 0;
        return some;
    }
}
