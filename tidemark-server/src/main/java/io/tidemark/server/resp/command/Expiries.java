package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.READONLY;
import static io.tidemark.server.resp.command.Flag.WRITE;

import io.tidemark.core.pool.BlockKey;
import java.util.OptionalLong;
import java.util.Set;

/** TTL, PTTL, EXPIRE, PEXPIRE, PERSIST. */
final class Expiries {
    private Expiries() {}

    static void addTo(CommandTable table) {
        Set<Flag> read = Set.of(READONLY, FAST);
        Set<Flag> write = Set.of(WRITE, FAST);
        KeyPositions key = KeyPositions.FIRST;
        table.add("ttl", 2, read, key, "Returns the time to live in seconds.", Expiries::ttl);
        table.add("pttl", 2, read, key, "Returns the time to live in milliseconds.", Expiries::pttl);
        table.add("persist", 2, write, key, "Takes the time to live away.", Expiries::persist);
        table.add(
                "expire",
                -3,
                write,
                key,
                "Sets the time to live in seconds.",
                call -> expire(call, "expire", ExpireTime.Unit.EX));
        table.add(
                "pexpire",
                -3,
                write,
                key,
                "Sets the time to live in milliseconds.",
                call -> expire(call, "pexpire", ExpireTime.Unit.PX));
    }

    private static void ttl(Call call) {
        long millis = call.pool().ttlMillis(call.key(1));
        call.reply().integer(millis < 0 ? millis : (millis + 500) / 1_000);
    }

    private static void pttl(Call call) {
        call.reply().integer(call.pool().ttlMillis(call.key(1)));
    }

    private static void persist(Call call) {
        BlockKey key = call.key(1);
        call.uses().expires(key, OptionalLong.empty());
        call.reply().integer(call.pool().persist(key) ? 1 : 0);
    }

    private static void expire(Call call, String name, ExpireTime.Unit unit) {
        Condition condition = Condition.parse(call);
        long ttlMillis = ExpireTime.toMillis(call, name, call.integer(2), unit);
        BlockKey key = call.key(1);
        long before = call.pool().ttlMillis(key);
        if (before == -2 || !condition.allows(before, ttlMillis)) {
            call.reply().integer(0);
            return;
        }
        call.uses().expires(key, OptionalLong.of(ttlMillis));
        Aftermath aftermath = new Aftermath(call);
        boolean set = call.pool().expireAfter(key, ttlMillis, aftermath.ends());
        aftermath.settle(unwritten -> {
            if (!unwritten.isEmpty()) {
                throw ReplyError.mayBeBack(unwritten);
            }
            call.reply().integer(set ? 1 : 0);
        });
    }

    /** NX, XX, GT, LT: when a new time to live is set. No limit counts as endless. */
    private record Condition(boolean nx, boolean xx, boolean gt, boolean lt) {
        static Condition parse(Call call) {
            boolean nx = false;
            boolean xx = false;
            boolean gt = false;
            boolean lt = false;
            for (int i = 3; i < call.count(); i++) {
                switch (call.word(i)) {
                    case "NX" -> nx = true;
                    case "XX" -> xx = true;
                    case "GT" -> gt = true;
                    case "LT" -> lt = true;
                    default -> throw new ReplyError("ERR Unsupported option " + call.text(i));
                }
            }
            if (nx && (xx || gt || lt)) {
                throw new ReplyError("ERR NX and XX, GT or LT options at the same time are not compatible");
            }
            if (gt && lt) {
                throw new ReplyError("ERR GT and LT options at the same time are not compatible");
            }
            return new Condition(nx, xx, gt, lt);
        }

        boolean allows(long beforeMillis, long ttlMillis) {
            boolean limited = beforeMillis >= 0;
            return !(nx && limited)
                    && !(xx && !limited)
                    && !(gt && (!limited || ttlMillis <= beforeMillis))
                    && !(lt && limited && ttlMillis >= beforeMillis);
        }
    }
}
