package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.ADMIN;
import static io.tidemark.server.resp.command.Flag.DENYOOM;
import static io.tidemark.server.resp.command.Flag.READONLY;
import static io.tidemark.server.resp.command.Flag.WRITE;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.CopyInfo;
import io.tidemark.core.pool.PoolStatus;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.server.resp.protocol.ReplyWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What Redis has no words for: TM.PUT, TM.WHERE, TM.STATUS. */
final class TidemarkCommands {
    private TidemarkCommands() {}

    static void addTo(CommandTable table) {
        table.add(new Command(
                "tm.put",
                -3,
                Set.of(WRITE, DENYOOM),
                KeyPositions.FIRST,
                ValuePositions.AFTER_KEY_IF_ABSENT,
                "Stores a block that is missing, with hints: key value [PARENT key] [DEPTH n] [TAIL] [PRIORITY n]"
                        + " [TTL ms]. Answers STORED or EXISTS.",
                TidemarkCommands::put));
        table.add(
                "tm.where",
                2,
                Set.of(READONLY),
                KeyPositions.FIRST,
                "Tells the copies of a block, the placement first.",
                TidemarkCommands::where);
        table.add(
                "tm.status",
                1,
                Set.of(READONLY, ADMIN),
                KeyPositions.NONE,
                "Tells what the pool holds, per backend.",
                TidemarkCommands::status);
    }

    private static void put(Call call) {
        PutHints hints = hints(call);
        IncomingValue value = call.values().getFirst();
        call.uses().put(value, hints);
        StringWrites.createThen(call, value, ends -> value.commit(hints, PutMode.REPLACE_IF_ABSENT, ends), answer -> {
            if (answer == Answer.EXISTS) {
                call.session().foundAgain(value.key(), hints);
            }
            call.reply().simple(answer.name());
        });
    }

    private static PutHints hints(Call call) {
        Optional<BlockKey> parent = Optional.empty();
        boolean tail = false;
        int priority = 0;
        OptionalLong ttlMillis = OptionalLong.empty();
        for (int i = 3; i < call.count(); i++) {
            switch (call.word(i)) {
                case "TAIL" -> tail = true;
                case "PARENT" -> parent = Optional.of(key(call, ++i));
                case "DEPTH" -> within(call, ++i, 0, Integer.MAX_VALUE); // PARENT says more
                case "PRIORITY" -> priority = Math.toIntExact(within(call, ++i, Integer.MIN_VALUE, Integer.MAX_VALUE));
                case "TTL" -> {
                    require(++i < call.count());
                    ttlMillis = OptionalLong.of(ExpireTime.millis(call, "tm.put", i, ExpireTime.Unit.PX));
                }
                default -> throw ReplyError.syntax();
            }
        }
        return new PutHints(parent, tail, priority, ttlMillis);
    }

    private static BlockKey key(Call call, int index) {
        require(index < call.count() && call.argument(index).length > 0);
        return call.key(index);
    }

    private static long within(Call call, int index, long min, long max) {
        require(index < call.count());
        long value = call.integer(index);
        if (value < min || value > max) {
            throw ReplyError.notAnInteger();
        }
        return value;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw ReplyError.syntax();
        }
    }

    private static void where(Call call) {
        List<CopyInfo> copies = call.pool().where(call.key(1));
        ReplyWriter reply = call.reply();
        reply.array(copies.size());
        for (CopyInfo copy : copies) {
            reply.map(5);
            text(reply, "tier", copy.tier());
            text(reply, "backend", copy.backend());
            text(reply, "state", copy.state().name().toLowerCase(Locale.ROOT));
            number(reply, "pins", copy.pins());
            number(reply, "bytes", copy.bytes());
        }
    }

    private static void status(Call call) {
        PoolStatus status = call.pool().status();
        ReplyWriter reply = call.reply();
        reply.map(8);
        number(reply, "blocks", status.blocks());
        number(reply, "sessions", status.sessions());
        number(reply, "reservations", status.reservations());
        number(reply, "pins", status.pins());
        number(reply, "leases", status.leases());
        number(reply, "space_waiters", status.spaceWaiters());
        number(reply, "transitions", status.transitions());
        reply.bulk("backends");
        reply.array(status.backends().size());
        status.backends().forEach(backend -> backend(reply, backend));
    }

    private static void backend(ReplyWriter reply, BackendStatus backend) {
        reply.map(16);
        text(reply, "tier", backend.tier());
        text(reply, "backend", backend.backend());
        text(reply, "kind", backend.kind().name().toLowerCase(Locale.ROOT));
        number(reply, "capacity_bytes", backend.capacityBytes());
        number(reply, "free_bytes", backend.freeBytes());
        number(reply, "reserved_bytes", backend.reservedBytes());
        number(reply, "resident_bytes", backend.residentBytes());
        number(reply, "doomed_bytes", backend.doomedBytes());
        number(reply, "pinned_bytes", backend.pinnedBytes());
        number(reply, "leased_bytes", backend.leasedBytes());
        number(reply, "leaving_bytes", backend.leavingBytes());
        number(reply, "high_bytes", backend.highBytes());
        number(reply, "low_bytes", backend.lowBytes());
        number(reply, "copies", backend.copies());
        number(reply, "evictable", backend.evictable());
        text(reply, "illness", backend.illness());
    }

    private static void text(ReplyWriter reply, String name, String value) {
        reply.bulk(name);
        reply.bulk(value);
    }

    private static void number(ReplyWriter reply, String name, long value) {
        reply.bulk(name);
        reply.integer(value);
    }
}
