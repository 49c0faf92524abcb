package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.READONLY;

import io.tidemark.core.pool.ReadResult;
import io.tidemark.server.resp.protocol.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TM.GETRANGES: parts of one block, in any order, overlapping or not, under one pin. A range that is empty or reaches
 * beyond the block is refused, and with it the command: a caller that asks for such means another block.
 */
final class RangeReads {
    private record Range(long offset, long length) {}

    private RangeReads() {}

    static void addTo(CommandTable table) {
        table.add(
                "tm.getranges",
                -4,
                Set.of(READONLY),
                KeyPositions.FIRST,
                "Returns parts of a value: key offset length [offset length ...]. A list of strings, or no value.",
                RangeReads::run);
    }

    private static void run(Call call) {
        List<Range> ranges = ranges(call);
        call.read(call.key(1), result -> {
            switch (result) {
                case ReadResult.Missed _ -> call.reply().nil();
                case ReadResult.Refused _ -> throw Call.notNow();
                case ReadResult.Pinned pinned -> reply(call, pinned, ranges);
            }
        });
    }

    private static List<Range> ranges(Call call) {
        if (call.count() % 2 != 0) {
            throw ReplyError.wrongArguments("tm.getranges");
        }
        List<Range> ranges = new ArrayList<>();
        for (int i = 2; i < call.count(); i += 2) {
            Range range = new Range(call.integer(i), call.integer(i + 1));
            if (range.offset() < 0 || range.length() < 1) {
                throw new ReplyError("ERR range of " + range.length() + " bytes at " + range.offset()
                        + "; expected an offset of 0 or more and a length of 1 or more");
            }
            ranges.add(range);
        }
        return ranges;
    }

    private static void reply(Call call, ReadResult.Pinned pinned, List<Range> ranges) {
        if (!ranges.stream().allMatch(range -> range.offset() <= pinned.bytes() - range.length())) {
            long bytes = pinned.bytes();
            pinned.close();
            throw new ReplyError("ERR range beyond the value; expected offset + length of at most " + bytes);
        }
        SharedPin pin = new SharedPin(new Call.PinnedValue(pinned), new AtomicInteger(ranges.size()));
        call.reply().array(ranges.size());
        for (Range range : ranges) {
            long end = range.offset() + range.length();
            call.reply().bulkInPlace(range.length(), StringReads.slice(pinned.segments(), range.offset(), end), pin);
        }
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
