package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Ends;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The last step of a write. Where it overwrites a copy on a device the bytes may have to be compared with those there, and
 * the end of that copy has to be durable before the answer: it is made beside the event loop. Where the copy began to move
 * there a moment ago, the event loop publishes, and only the waiting is done beside it.
 */
final class Publication {
    /**
     * What a write came to.
     *
     * @param unwritten backends from which what it deleted or replaced may be back after a restart
     */
    record Published(Answer answer, Set<String> unwritten) {
        Published or(Set<String> more) {
            Set<String> both = new TreeSet<>(unwritten);
            both.addAll(more);
            return new Published(answer, both);
        }
    }

    private Publication() {}

    /** Publishes, here or beside the event loop, and then ends the command. What is not written is counted; the value is there. */
    static void run(Call call, List<BlockKey> keys, Function<Ends, Answer> publish, Consumer<Answer> then) {
        runTelling(
                call,
                keys,
                ends -> new Published(publish.apply(ends), Set.of()),
                published -> then.accept(published.answer()));
    }

    /** As {@link #run}, for a write that leaves nothing but what it deleted. */
    static void runTelling(
            Call call, List<BlockKey> keys, Function<Ends, Published> publish, Consumer<Published> then) {
        Optional<Executor> lane = call.below().lane(keys);
        if (lane.isEmpty()) {
            Aftermath aftermath = new Aftermath(call);
            Published published = publish.apply(aftermath.ends());
            aftermath.settle(unwritten -> then.accept(published.or(unwritten)));
            return;
        }
        AtomicReference<Published> published = new AtomicReference<>(new Published(Answer.FAILED, Set.of()));
        call.work(lane.get(), () -> published.set(publish.apply(Ends.awaited())), () -> then.accept(published.get()));
    }
}
