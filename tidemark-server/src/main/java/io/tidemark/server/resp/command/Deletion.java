package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionOutcome;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.EvictionResult;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.keys.KeyCodec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes the blocks of one command and counts keys as Redis does: a key counts once if it was there. The two keys of a
 * pair are one block and go together, so the second one counts although it went with the first.
 *
 * <p>They go in steps of the event loop; what is to be waited for is waited for beside it, all at once.
 */
final class Deletion implements Continuation {
    private static final int KEYS_PER_STEP = 16;

    private final Call call;
    private final Pool pool;
    /** Keys that went with the other one of their pair and were not named yet. */
    private final Set<BlockKey> wentAlong = new HashSet<>();

    private final Aftermath aftermath;
    private int next = 1;
    /** Keys that were there. */
    private long count;

    /** To be left to the call; replies with the number of keys. */
    Deletion(Call call) {
        this.call = call;
        this.pool = call.pool();
        this.aftermath = new Aftermath(call);
    }

    @Override
    public Progress step() {
        int end = Math.min(call.count(), next + KEYS_PER_STEP);
        for (; next < end; next++) {
            BlockKey key = call.key(next);
            call.uses().deleted(key);
            delete(key);
        }
        if (next < call.count()) {
            return Progress.MORE;
        }
        aftermath.settle(this::reply);
        return Progress.DONE;
    }

    private void reply(Set<String> unwritten) {
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
            var _ = pool.awaitEnds(key, aftermath.ends()); // it was evicted, and must not be back after a kill
            return;
        }
        Optional<BlockKey> other = KeyCodec.otherPart(key).filter(pool::contains);
        EvictionResult result = pool.evict(EvictionRequest.of(key, EvictionReason.DELETED), aftermath.ends());
        if (result.outcome() != EvictionOutcome.NONE) {
            count++;
            other.ifPresent(wentAlong::add);
        }
    }
}
