package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.READONLY;

import io.tidemark.core.pool.ByteRange;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.server.resp.protocol.Held;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * GETRANGE and TM.GETRANGES: parts of one block under one pin, in any order, overlapping or not. Of a block that is on a
 * device only, no more than the parts is read.
 *
 * <p>GETRANGE cuts its range to the value, as Redis does. A range of TM.GETRANGES that is empty or reaches beyond the block
 * is refused, and with it the command: a caller that asks for such means another block.
 */
final class RangeReads {
    /** Ranges that are queued before others get a turn. */
    private static final int RANGES_PER_STEP = 16;

    private RangeReads() {}

    static void addTo(CommandTable table) {
        table.add(
                "getrange",
                4,
                Set.of(READONLY),
                KeyPositions.FIRST,
                "Returns a part of the value of a key.",
                RangeReads::one);
        table.add(
                "tm.getranges",
                -4,
                Set.of(READONLY),
                KeyPositions.FIRST,
                "Returns parts of a value: key offset length [offset length ...]. A list of strings, or no value.",
                RangeReads::several);
    }

    private static void one(Call call) {
        long start = call.integer(2);
        long end = call.integer(3);
        call.readRanges(call.key(1), bytes -> between(start, end, bytes), result -> {
            switch (result) {
                case ReadResult.Missed _ -> call.reply().bulk("");
                case ReadResult.Refused _ -> throw Call.notNow();
                case ReadResult.Pinned pinned -> reply(call, pinned, between(start, end, pinned.bytes()));
            }
        });
    }

    /** The bytes from {@code start} to {@code end}, both included; negative ones count from the end. One range, or none. */
    static List<ByteRange> between(long start, long end, long bytes) {
        long from = Math.max(start < 0 ? start + bytes : start, 0);
        long to = Math.min(Math.max(end < 0 ? end + bytes : end, 0), bytes - 1);
        boolean none = from > to || (start < 0 && end < 0 && start > end);
        return none ? List.of() : List.of(new ByteRange(from, to + 1 - from));
    }

    private static void reply(Call call, ReadResult.Pinned pinned, List<ByteRange> range) {
        if (range.isEmpty()) {
            pinned.close();
            call.reply().bulk("");
        } else {
            call.replyBytes(range.getFirst().length(), pinned.segments(range.getFirst()), new Call.PinnedValue(pinned));
        }
    }

    private static void several(Call call) {
        List<ByteRange> ranges = ranges(call);
        call.readRanges(call.key(1), bytes -> within(ranges, bytes) ? ranges : List.of(), result -> {
            switch (result) {
                case ReadResult.Missed _ -> call.reply().nil();
                case ReadResult.Refused _ -> throw Call.notNow();
                case ReadResult.Pinned pinned -> replyAll(call, pinned, ranges);
            }
        });
    }

    private static List<ByteRange> ranges(Call call) {
        if (call.count() % 2 != 0) {
            throw ReplyError.wrongArguments("tm.getranges");
        }
        List<ByteRange> ranges = new ArrayList<>();
        for (int i = 2; i < call.count(); i += 2) {
            long offset = call.integer(i);
            long length = call.integer(i + 1);
            if (offset < 0 || length < 1) {
                throw new ReplyError("ERR range of " + length + " bytes at " + offset
                        + "; expected an offset of 0 or more and a length of 1 or more");
            }
            if (offset > Long.MAX_VALUE - length) {
                throw beyond(Long.MAX_VALUE);
            }
            ranges.add(new ByteRange(offset, length));
        }
        return ranges;
    }

    private static ReplyError beyond(long bytes) {
        return new ReplyError("ERR range beyond the value; expected offset + length of at most " + bytes);
    }

    private static boolean within(List<ByteRange> ranges, long bytes) {
        return ranges.stream().allMatch(range -> range.within(bytes));
    }

    /** Queues some ranges a step, so that what waits for the client stays within bounds. */
    private static void replyAll(Call call, ReadResult.Pinned pinned, List<ByteRange> ranges) {
        long bytes = pinned.bytes();
        if (!within(ranges, bytes)) {
            pinned.close();
            throw beyond(bytes);
        }
        SharedPin pin = new SharedPin(new Call.PinnedValue(pinned), new AtomicInteger(ranges.size()));
        Iterator<ByteRange> rest = ranges.iterator();
        call.reply().array(ranges.size());
        call.leave(() -> {
            for (int i = 0; i < RANGES_PER_STEP && rest.hasNext(); i++) {
                ByteRange range = rest.next();
                call.replyBytes(range.length(), pinned.segments(range), pin);
            }
            return rest.hasNext() ? Continuation.Progress.MORE : Continuation.Progress.DONE;
        });
    }

    /** A pin under several queued pieces: closed when the last of them has left. */
    private record SharedPin(Held pin, AtomicInteger pieces) implements Held {
        @Override
        public void progressed() {
            pin.progressed();
        }

        @Override
        public void close() {
            if (pieces.decrementAndGet() == 0) {
                pin.close();
            }
        }
    }
}
