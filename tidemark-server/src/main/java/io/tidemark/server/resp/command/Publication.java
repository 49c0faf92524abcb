package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Ends;
import java.util.List;
import java.util.Optional;
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
    private Publication() {}

    /** Publishes, here or beside the event loop, and then ends the command. */
    static void run(Call call, List<BlockKey> keys, Function<Ends, Answer> publish, Consumer<Answer> then) {
        Optional<Executor> lane = call.below().lane(keys);
        if (lane.isEmpty()) {
            Aftermath aftermath = new Aftermath(call);
            Answer answer = publish.apply(aftermath.ends());
            aftermath.settle(_ -> then.accept(answer)); // what is not written is counted; the value is there
            return;
        }
        AtomicReference<Answer> answer = new AtomicReference<>(Answer.FAILED);
        call.work(lane.get(), () -> answer.set(publish.apply(Ends.awaited())), () -> then.accept(answer.get()));
    }
}
