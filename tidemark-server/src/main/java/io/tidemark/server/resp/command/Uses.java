package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.index.replay.Use;
import io.tidemark.index.replay.UseKind;
import io.tidemark.server.record.BlockUse;
import io.tidemark.server.record.UseListener;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tells what one command uses, in the order of its keys; from the second use on they are joined to a batch. The second part
 * of a pair is no use of its own. While nobody listens, one object that tells nothing serves all commands.
 */
final class Uses {
    private static final Uses UNHEARD = new Uses(UseListener.NONE, Clocks.system(), 0);

    private final UseListener listener;
    private final Clocks clocks;
    private final long client;
    private boolean joined;

    private Uses(UseListener listener, Clocks clocks, long client) {
        this.listener = listener;
        this.clocks = clocks;
        this.client = client;
    }

    /**
     * Those of one command.
     *
     * @param client number of the connection
     */
    static Uses of(UseListener listener, Clocks clocks, long client) {
        return listener.listens() ? new Uses(listener, clocks, client) : UNHEARD;
    }

    /** A read was answered; one that was refused is asked for again. */
    void read(BlockKey key, ReadResult result) {
        switch (result) {
            case ReadResult.Missed _ -> tell(UseKind.MISS, key, 0);
            case ReadResult.Pinned pinned -> tell(UseKind.HIT, key, pinned.bytes());
            case ReadResult.Refused _ -> {}
        }
    }

    /** A value has arrived. */
    void put(IncomingValue value, PutHints hints) {
        long ttlMillis = hints.ttlMillis().orElse(Use.NO_TTL);
        tell(UseKind.PUT, value.key(), hints.parent(), value.bytes(), hints.incompleteTail(), ttlMillis);
    }

    /** A use without bytes, of a block that was there. */
    void touched(BlockKey key) {
        tell(UseKind.TOUCH, key, 0);
    }

    /** A look-up. */
    void lookedUp(BlockKey key, boolean there) {
        tell(there ? UseKind.SEEN : UseKind.UNSEEN, key, 0);
    }

    /** The block is deleted, if it is there. */
    void deleted(BlockKey key) {
        tell(UseKind.DELETE, key, 0);
    }

    /** The block lives so long from now on; empty: without end. */
    void expires(BlockKey key, OptionalLong ttlMillis) {
        long millis = ttlMillis.isPresent() ? Math.max(0, ttlMillis.getAsLong()) : Use.NO_TTL;
        tell(UseKind.EXPIRE, key, Optional.empty(), 0, false, millis);
    }

    /** All blocks are deleted. */
    void cleared() {
        if (listener.listens()) {
            tell(UseKind.CLEAR, Optional.empty(), Optional.empty(), 0, false, Use.NO_TTL);
        }
    }

    private void tell(UseKind kind, BlockKey key, long bytes) {
        tell(kind, key, Optional.empty(), bytes, false, Use.NO_TTL);
    }

    private void tell(UseKind kind, BlockKey key, Optional<BlockKey> parent, long bytes, boolean tail, long ttlMillis) {
        if (listener.listens() && (key.part() == 0 || kind == UseKind.DELETE)) {
            tell(kind, Optional.of(key), parent, bytes, tail, ttlMillis);
        }
    }

    private void tell(
            UseKind kind, Optional<BlockKey> key, Optional<BlockKey> parent, long bytes, boolean tail, long ttlMillis) {
        listener.used(new BlockUse(clocks.monotonicNanos(), client, kind, joined, key, parent, bytes, tail, ttlMillis));
        joined = true;
    }
}
