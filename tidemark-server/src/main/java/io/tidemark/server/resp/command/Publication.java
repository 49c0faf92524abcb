package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The last step of a write. Where it overwrites a copy on a device, or one on its way there, the end of that copy has to
 * be durable before the answer: no event loop waits for this, it is done beside it.
 */
final class Publication {
    private Publication() {}

    /** Publishes, here or beside the event loop, and then ends the command. */
    static void run(Call call, List<BlockKey> keys, Supplier<Answer> publish, Consumer<Answer> then) {
        Optional<Executor> lane = call.below().lane(keys);
        if (lane.isEmpty()) {
            then.accept(publish.get());
            return;
        }
        AtomicReference<Answer> answer = new AtomicReference<>(Answer.FAILED);
        call.work(lane.get(), () -> answer.set(publish.get()), () -> then.accept(answer.get()));
    }
}
