package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.READONLY;
import static io.tidemark.server.resp.command.Flag.WRITE;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.server.keys.KeyCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** EXISTS, DEL, UNLINK, TOUCH, TYPE, SCAN, DBSIZE, FLUSHDB, FLUSHALL. */
final class Keyspace {
    private static final int DEFAULT_SCAN = 10;
    private static final int MAX_SCAN = 4_096;
    private static final int SCANNED_PER_STEP = 64;

    /** Bytes of names from which on SCAN answers early; the next call goes on. */
    private static final long MAX_SCAN_BYTES = 1 << 20;

    private Keyspace() {}

    static void addTo(CommandTable table) {
        Set<Flag> read = Set.of(READONLY, FAST);
        table.add(
                "exists",
                -2,
                read,
                KeyPositions.ALL,
                "Counts keys that exist, and holds them for a moment so that they can be read.",
                Keyspace::exists);
        table.add("del", -2, Set.of(WRITE), KeyPositions.ALL, "Deletes keys.", Keyspace::delete);
        table.add("unlink", -2, Set.of(WRITE, FAST), KeyPositions.ALL, "Deletes keys.", Keyspace::delete);
        table.add("touch", -2, read, KeyPositions.ALL, "Counts keys that exist, as a use of each.", Keyspace::touch);
        table.add("type", 2, read, KeyPositions.FIRST, "Returns the type of a value.", Keyspace::type);
        table.add("scan", -2, Set.of(READONLY), KeyPositions.NONE, "Walks over the keys.", Keyspace::scan);
        table.add("dbsize", 1, read, KeyPositions.NONE, "Returns the number of blocks.", Keyspace::dbsize);
        table.add("flushdb", -1, Set.of(WRITE), KeyPositions.NONE, "Deletes every key.", Keyspace::flush);
        table.add("flushall", -1, Set.of(WRITE), KeyPositions.NONE, "Deletes every key.", Keyspace::flush);
    }

    private static void exists(Call call) {
        call.leave(new KeyCount(call, index -> {
            BlockKey key = call.key(index);
            boolean there = call.session().lookup(key).isPresent();
            call.uses().lookedUp(key, there);
            (there ? call.stats().hits : call.stats().misses).increment();
            return there;
        }));
    }

    private static void delete(Call call) {
        call.leave(new Deletion(call));
    }

    /** A read of no bytes is a use of the block. */
    private static void touch(Call call) {
        call.leave(new KeyCount(call, index -> {
            ReadResult use = call.session().readRanges(call.key(index), _ -> List.of());
            if (use instanceof ReadResult.Pinned pinned) {
                pinned.close();
                call.uses().touched(call.key(index));
            }
            return !(use instanceof ReadResult.Missed);
        }));
    }

    private static void type(Call call) {
        call.reply().simple(call.pool().contains(call.key(1)) ? "string" : "none");
    }

    private static void dbsize(Call call) {
        call.reply().integer(call.pool().blocks());
    }

    private static void flush(Call call) {
        if (call.count() > 2 || (call.count() == 2 && !Set.of("SYNC", "ASYNC").contains(call.word(1)))) {
            throw ReplyError.syntax();
        }
        call.uses().cleared();
        Set<String> unwritten = new TreeSet<>();
        call.work(
                call.environment().jobs().forWhole(),
                () -> unwritten.addAll(call.pool().clear()),
                () -> {
                    if (!unwritten.isEmpty()) {
                        throw ReplyError.mayBeBack(unwritten);
                    }
                    call.reply().simple("OK");
                });
    }

    private static void scan(Call call) {
        call.leave(new Scan(call, cursor(call.text(1)), ScanOptions.parse(call)));
    }

    /** Looks at a few keys a step, until as many as asked for were looked at or their names are long enough. */
    private static final class Scan implements Continuation {
        private final Call call;
        private final ScanOptions options;
        private final List<byte[]> keys = new ArrayList<>();
        private long cursor;
        private int left;

        Scan(Call call, long cursor, ScanOptions options) {
            this.call = call;
            this.cursor = cursor;
            this.options = options;
            this.left = options.count();
        }

        @Override
        public Progress step() {
            int count = Math.min(left, SCANNED_PER_STEP);
            cursor = call.pool().scan(cursor, count, key -> collect(call, key, options, keys));
            left -= count;
            long bytes = keys.stream().mapToLong(key -> key.length).sum();
            if (cursor != 0 && left > 0 && bytes < MAX_SCAN_BYTES) {
                return Progress.MORE;
            }
            call.reply().array(2);
            call.reply().bulk(Long.toUnsignedString(cursor));
            call.reply().array(keys.size());
            keys.forEach(call.reply()::bulk);
            return Progress.DONE;
        }
    }

    /** Adds the keys of a block that match: one, or two where LMCache's pair is complete. */
    private static void collect(Call call, BlockKey shown, ScanOptions options, List<byte[]> keys) {
        if (!options.strings()) {
            return;
        }
        if (!KeyCodec.isPair(shown)) {
            add(shown, options, keys);
            return;
        }
        for (int part = 0; part < 2; part++) {
            BlockKey key = shown.part(part);
            if (call.pool().contains(key)) {
                add(key, options, keys);
            }
        }
    }

    private static void add(BlockKey key, ScanOptions options, List<byte[]> keys) {
        byte[] name = KeyCodec.encode(key);
        if (options.pattern().map(glob -> glob.matches(name)).orElse(true)) {
            keys.add(name);
        }
    }

    private static long cursor(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new ReplyError("ERR invalid cursor");
        }
    }

    /**
     * MATCH, COUNT and TYPE of SCAN.
     *
     * @param strings whether the type asked for is the one there is
     */
    private record ScanOptions(Optional<Glob> pattern, int count, boolean strings) {
        static ScanOptions parse(Call call) {
            Optional<Glob> pattern = Optional.empty();
            int count = DEFAULT_SCAN;
            boolean strings = true;
            for (int i = 2; i < call.count(); i += 2) {
                if (i + 1 == call.count()) {
                    throw ReplyError.syntax();
                }
                switch (call.word(i)) {
                    case "MATCH" -> pattern = Optional.of(new Glob(call.argument(i + 1)));
                    case "COUNT" -> count = count(call.integer(i + 1));
                    case "TYPE" -> strings = call.word(i + 1).equals("STRING");
                    default -> throw ReplyError.syntax();
                }
            }
            return new ScanOptions(pattern, count, strings);
        }

        private static int count(long asked) {
            if (asked < 1) {
                throw ReplyError.syntax();
            }
            return (int) Math.min(asked, MAX_SCAN);
        }
    }
}
