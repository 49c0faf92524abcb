package io.tidemark.server.resp.command;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The last step of a write. Where it overwrites a copy on a device, or one on its way there, the end of that copy has to
 * be durable before the answer: no event loop waits for this, it is done beside it.
 */
final class Publication {
    /** Keys that are looked at one by one; more of them go beside the event loop unseen. */
    private static final int LOOKED_AT = 64;

    private Publication() {}

    /** Publishes, here or beside the event loop, and then ends the command. */
    static void run(Call call, List<BlockKey> keys, Supplier<Answer> publish, Consumer<Answer> then) {
        boolean waits = call.deletionsWait()
                && (keys.size() > LOOKED_AT || keys.stream().anyMatch(key -> overwritesBelow(call, key)));
        if (!waits) {
            then.accept(publish.get());
            return;
        }
        AtomicReference<Answer> answer = new AtomicReference<>(Answer.FAILED);
        call.work(() -> answer.set(publish.get()), () -> then.accept(answer.get()));
    }

    private static boolean overwritesBelow(Call call, BlockKey key) {
        String memory = call.pool().config().tiers().getFirst().name();
        return call.pool().where(key).stream()
                .anyMatch(copy -> !copy.tier().equals(memory) || copy.state() == CopyState.MOVING);
    }
}
