package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Events until they are drained. Neighbours are merged: blocks stored right after the last event's blocks, and removals
 * from the same medium. Holds a bounded number of blocks; beyond it all are replaced by one request for a resync.
 */
final class EventQueue {
    private final int blocksMax;
    private final List<CacheEvent> events = new ArrayList<>();
    private int blocks;

    EventQueue(int blocksMax) {
        this.blocksMax = blocksMax;
    }

    void stored(CacheEvent.BlockStored event) {
        if (!events.isEmpty() && events.getLast() instanceof CacheEvent.BlockStored tail && follows(tail, event)) {
            tail.blockHashes().addAll(event.blockHashes());
            tail.tokenIds().addAll(event.tokenIds());
        } else {
            events.add(new CacheEvent.BlockStored(
                    new ArrayList<>(event.blockHashes()),
                    event.parentBlockHash(),
                    new ArrayList<>(event.tokenIds()),
                    event.blockSize(),
                    event.medium(),
                    event.cacheSalt()));
        }
        grown(event.blockHashes().size());
    }

    void removed(List<Long> hashes, Medium medium) {
        if (!events.isEmpty() && events.getLast() instanceof CacheEvent.BlockRemoved tail && tail.medium() == medium) {
            tail.blockHashes().addAll(hashes);
        } else {
            events.add(new CacheEvent.BlockRemoved(new ArrayList<>(hashes), medium));
        }
        grown(hashes.size());
    }

    /** Everything is gone: earlier events do not matter, but stay in order. */
    void cleared() {
        events.add(new CacheEvent.AllBlocksCleared());
        grown(1);
    }

    List<CacheEvent> drain() {
        List<CacheEvent> drained = events.stream().map(EventQueue::freeze).toList();
        events.clear();
        blocks = 0;
        return drained;
    }

    private static boolean follows(CacheEvent.BlockStored tail, CacheEvent.BlockStored event) {
        Optional<String> salt = tail.cacheSalt();
        return event.parentBlockHash().equals(OptionalLong.of(tail.blockHashes().getLast()))
                && tail.medium() == event.medium()
                && salt.equals(event.cacheSalt());
    }

    private void grown(int count) {
        blocks += count;
        if (blocks > blocksMax) {
            events.clear();
            events.add(new CacheEvent.Resync());
            blocks = 1;
        }
    }

    private static CacheEvent freeze(CacheEvent event) {
        return switch (event) {
            case CacheEvent.BlockStored stored ->
                new CacheEvent.BlockStored(
                        List.copyOf(stored.blockHashes()),
                        stored.parentBlockHash(),
                        List.copyOf(stored.tokenIds()),
                        stored.blockSize(),
                        stored.medium(),
                        stored.cacheSalt());
            case CacheEvent.BlockRemoved removed ->
                new CacheEvent.BlockRemoved(List.copyOf(removed.blockHashes()), removed.medium());
            case CacheEvent.AllBlocksCleared cleared -> cleared;
            case CacheEvent.Resync resync -> resync;
        };
    }
}
