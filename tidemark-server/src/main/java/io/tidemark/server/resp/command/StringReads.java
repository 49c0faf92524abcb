package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.READONLY;

import io.tidemark.core.pool.ReadResult;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** GET, MGET, STRLEN. */
final class StringReads {
    private StringReads() {}

    static void addTo(CommandTable table) {
        Set<Flag> fastRead = Set.of(READONLY, FAST);
        table.add("get", 2, fastRead, KeyPositions.FIRST, "Returns the value of a key.", StringReads::get);
        table.add("mget", -2, fastRead, KeyPositions.ALL, "Returns the values of keys.", StringReads::mget);
        table.add("strlen", 2, fastRead, KeyPositions.FIRST, "Returns the length of a value.", StringReads::strlen);
    }

    private static void get(Call call) {
        call.read(call.key(1), result -> {
            switch (result) {
                case ReadResult.Missed _ -> miss(call);
                case ReadResult.Refused _ -> throw Call.notNow();
                case ReadResult.Pinned pinned -> {
                    call.learnLength(call.argument(1), pinned.bytes());
                    call.replyValue(pinned);
                }
            }
        });
    }

    private static void miss(Call call) {
        if (!call.client().paddedMisses()) {
            call.reply().nil();
            return;
        }
        OptionalInt headerBytes = call.environment().padding().headerBytes(call.argument(1));
        if (headerBytes.isPresent()) {
            call.stats().paddedMisses.increment();
            call.reply().error(MissPadding.errorText(headerBytes.getAsInt()));
        } else {
            call.stats().plainMisses.increment();
            call.reply().nil();
        }
    }

    /** One value after another as the client takes them, so that few are pinned at a time. */
    private static void mget(Call call) {
        call.leave(new ManyReads(call));
    }

    private static void strlen(Call call) {
        OptionalLong size = call.pool().sizeOf(call.key(1));
        (size.isPresent() ? call.stats().hits : call.stats().misses).increment();
        call.reply().integer(size.orElse(0));
    }
}
