package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionOutcome;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.EvictionResult;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.keys.KeyCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;

/**
 * Deletes the blocks of one command and counts keys as Redis does: a key counts once if it was there. The two keys of a
 * pair are one block and go together, so the second one counts although it went with the first.
 *
 * <p>What is in memory alone goes in steps of the event loop; the rest then goes beside it, all at once.
 */
final class Deletion implements Continuation {
    private static final int KEYS_PER_STEP = 16;

    private final Call call;
    private final Pool pool;
    /** Keys that went with the other one of their pair and were not named yet. */
    private final Set<BlockKey> wentAlong = new HashSet<>();

    /** Backends that could not write down all of it. */
    private final Set<String> unwritten = new TreeSet<>();

    private final List<BlockKey> later = new ArrayList<>();
    private int next = 1;
    /** Keys that were there. Of the event loop, but for the time in which a job deletes. */
    private long count;

    /** To be left to the call; replies with the number of keys. */
    Deletion(Call call) {
        this.call = call;
        this.pool = call.pool();
    }

    @Override
    public Progress step() {
        int end = Math.min(call.count(), next + KEYS_PER_STEP);
        for (; next < end; next++) {
            BlockKey key = call.key(next);
            call.uses().deleted(key);
            if (call.below().holds(key)) {
                later.add(key);
            } else {
                delete(key);
            }
        }
        if (next < call.count()) {
            return Progress.MORE;
        }
        Optional<Executor> lane = call.below().lane(later);
        if (lane.isPresent()) {
            call.work(lane.get(), () -> later.forEach(this::delete), this::reply);
        } else {
            later.forEach(this::delete); // nothing, or what has come up to memory since
            reply();
        }
        return Progress.DONE;
    }

    private void reply() {
        if (!unwritten.isEmpty()) {
            throw ReplyError.mayBeBack(unwritten);
        }
        call.reply().integer(count);
    }

    private void delete(BlockKey key) {
        if (wentAlong.remove(key)) {
            count++;
            return;
        }
        if (!pool.contains(key)) {
            unwritten.addAll(pool.awaitEnds(key)); // it was evicted, and must not be back after a kill
            return;
        }
        Optional<BlockKey> other = KeyCodec.otherPart(key).filter(pool::contains);
        EvictionResult result = pool.evict(EvictionRequest.of(key, EvictionReason.DELETED));
        unwritten.addAll(result.unwritten());
        if (result.outcome() != EvictionOutcome.NONE) {
            count++;
            other.ifPresent(wentAlong::add);
        }
    }
}
