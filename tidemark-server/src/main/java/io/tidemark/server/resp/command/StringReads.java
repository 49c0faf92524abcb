package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.READONLY;

import io.tidemark.core.pool.ReadResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** GET, MGET, GETRANGE, STRLEN. */
final class StringReads {
    private StringReads() {}

    static void addTo(CommandTable table) {
        Set<Flag> fastRead = Set.of(READONLY, FAST);
        table.add("get", 2, fastRead, KeyPositions.FIRST, "Returns the value of a key.", StringReads::get);
        table.add("mget", -2, fastRead, KeyPositions.ALL, "Returns the values of keys.", StringReads::mget);
        table.add(
                "getrange",
                4,
                Set.of(READONLY),
                KeyPositions.FIRST,
                "Returns a part of the value of a key.",
                StringReads::getrange);
        table.add("strlen", 2, fastRead, KeyPositions.FIRST, "Returns the length of a value.", StringReads::strlen);
    }

    private static void get(Call call) {
        call.read(call.key(1), result -> {
            switch (result) {
                case ReadResult.Missed _ -> miss(call);
                case ReadResult.Refused _ -> throw Call.notNow();
                case ReadResult.Pinned pinned -> {
                    call.environment().padding().learn(call.argument(1), pinned.bytes());
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

    private static void getrange(Call call) {
        long start = call.integer(2);
        long end = call.integer(3);
        call.read(call.key(1), result -> {
            switch (result) {
                case ReadResult.Missed _ -> call.reply().bulk("");
                case ReadResult.Refused _ -> throw Call.notNow();
                case ReadResult.Pinned pinned -> replyRange(call, pinned, start, end);
            }
        });
    }

    /** Replies with the bytes from {@code start} to {@code end}, both included; negative ones count from the end. */
    private static void replyRange(Call call, ReadResult.Pinned pinned, long start, long end) {
        long length = pinned.bytes();
        long from = Math.max(start < 0 ? start + length : start, 0);
        long to = Math.min(Math.max(end < 0 ? end + length : end, 0), length - 1);
        if (from > to || (start < 0 && end < 0 && start > end)) {
            pinned.close();
            call.reply().bulk("");
            return;
        }
        List<MemorySegment> range = slice(pinned.segments(), from, to + 1);
        call.reply().bulkInPlace(to + 1 - from, range, new Call.PinnedValue(pinned));
    }

    /** The part of {@code segments} from {@code from} to {@code to}, the latter not included. */
    static List<MemorySegment> slice(List<MemorySegment> segments, long from, long to) {
        List<MemorySegment> out = new ArrayList<>();
        long at = 0;
        for (MemorySegment segment : segments) {
            long first = Math.max(from - at, 0);
            long last = Math.min(to - at, segment.byteSize());
            if (first < last) {
                out.add(segment.asSlice(first, last - first));
            }
            at += segment.byteSize();
        }
        return out;
    }

    private static void strlen(Call call) {
        OptionalLong size = call.pool().sizeOf(call.key(1));
        (size.isPresent() ? call.stats().hits : call.stats().misses).increment();
        call.reply().integer(size.orElse(0));
    }
}
