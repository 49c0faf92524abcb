package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Ends;
import io.tidemark.core.pool.Unsettled;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What the changes of a command leave to be waited for before its reply: collected while they are made on the event loop,
 * waited for beside it. Used by the event loop alone.
 */
final class Aftermath {
    private final Call call;
    private final Ends ends = Ends.leftTo(this::add);
    private Optional<Unsettled> rest = Optional.empty();

    Aftermath(Call call) {
        this.call = call;
    }

    /** For each of the changes. */
    Ends ends() {
        return ends;
    }

    private void add(Unsettled more) {
        rest = Optional.of(rest.map(before -> before.and(more)).orElse(more));
    }

    /**
     * Goes on with {@code then} once all of it is settled: now, where nothing is to be waited for or too many wait already.
     *
     * @param then is given the backends that could not write all of it
     */
    void settle(Consumer<Set<String>> then) {
        if (rest.isEmpty()) {
            then.accept(Set.of());
            return;
        }
        Unsettled waits = rest.get();
        Set<String> unwritten = new TreeSet<>();
        Executor lane = call.environment().jobs().forDevices(waits.backends());
        if (!call.works(lane, () -> unwritten.addAll(waits.await()), () -> then.accept(unwritten))) {
            then.accept(waits.giveUp());
        }
    }
}
