package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.ADMIN;
import static io.tidemark.server.resp.command.Flag.WRITE;

import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.EvictionResult;
import io.tidemark.server.config.Nearest;
import io.tidemark.server.keys.PlaceNames;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * TM.EVICT: the one eviction path, by hand. Options are read from the end, so that a key may be called as an option is
 * where it comes first.
 */
final class EvictCommand {
    /** Keys that are evicted before others get a turn. */
    private static final int KEYS_PER_STEP = 16;

    private static final List<String> OPTIONS = List.of("TIER", "BACKEND", "DISCARD");

    private EvictCommand() {}

    static void addTo(CommandTable table) {
        table.add(
                "tm.evict",
                -2,
                Set.of(WRITE, ADMIN),
                KeyPositions.ALL,
                "Evicts one copy of each block: key [key ...] [TIER t] [BACKEND b] [DISCARD]. Answers outcome and bytes; for"
                        + " several keys, a list of these.",
                EvictCommand::run);
    }

    private static void run(Call call) {
        List<EvictionRequest> requests = requests(call); // made now: the arguments are gone when the work is done
        List<EvictionResult> results = new ArrayList<>(requests.size());
        Aftermath aftermath = new Aftermath(call);
        Iterator<EvictionRequest> rest = requests.iterator();
        call.leave(() -> {
            for (int i = 0; i < KEYS_PER_STEP && rest.hasNext(); i++) {
                results.add(call.pool().evict(rest.next(), aftermath.ends()));
            }
            if (rest.hasNext()) {
                return Continuation.Progress.MORE;
            }
            aftermath.settle(unwritten -> reply(call, results, unwritten));
            return Continuation.Progress.DONE;
        });
    }

    private static List<EvictionRequest> requests(Call call) {
        Options options = options(call);
        PlaceNames where = places(call, options);
        requireKeys(call, options.keys());
        return IntStream.rangeClosed(1, options.keys())
                .mapToObj(i -> new EvictionRequest(call.key(i), where.tier(), where.backend(), options.reason()))
                .toList();
    }

    private static PlaceNames places(Call call, Options options) {
        try {
            return PlaceNames.of(call.pool().config(), options.tier(), options.backend());
        } catch (IllegalArgumentException e) {
            throw new ReplyError("ERR " + e.getMessage());
        }
    }

    /** A word behind the first key that is no key, but nearly an option, was meant as one: nothing is evicted. */
    private static void requireKeys(Call call, int keys) {
        for (int i = 2; i <= keys; i++) {
            Optional<String> meant = Nearest.to(call.word(i), OPTIONS);
            if (meant.isPresent() && !call.pool().contains(call.key(i))) {
                throw new ReplyError("ERR syntax error: '" + call.text(i)
                        + "' is neither a key that is held nor an option; " + "did you mean " + meant.get() + "?");
            }
        }
    }

    private static void reply(Call call, List<EvictionResult> results, Set<String> unwritten) {
        if (!unwritten.isEmpty()) {
            throw ReplyError.mayBeBack(unwritten);
        }
        if (results.size() > 1) {
            call.reply().array(results.size());
        }
        for (EvictionResult result : results) {
            call.reply().array(2);
            call.reply().bulk(result.outcome().name());
            call.reply().integer(result.bytesFreed());
        }
    }

    /** @param keys how many of the arguments after the name are keys */
    private record Options(int keys, Optional<String> tier, Optional<String> backend, EvictionReason reason) {}

    private static Options options(Call call) {
        Optional<String> tier = Optional.empty();
        Optional<String> backend = Optional.empty();
        EvictionReason reason = EvictionReason.CAPACITY;
        int end = call.count();
        for (boolean more = true; more; ) {
            if (end > 2 && call.word(end - 1).equals("DISCARD")) {
                reason = EvictionReason.DELETED;
                end--;
            } else if (end > 3 && call.word(end - 2).equals("TIER")) {
                tier = Optional.of(call.text(end - 1));
                end -= 2;
            } else if (end > 3 && call.word(end - 2).equals("BACKEND")) {
                backend = Optional.of(call.text(end - 1));
                end -= 2;
            } else {
                more = false;
            }
        }
        return new Options(end - 1, tier, backend, reason);
    }
}
