package io.tidemark.server.resp.command;

import io.tidemark.core.pool.PutMode;
import java.util.OptionalLong;

/**
 * The options of SET behind the value.
 *
 * @param mode from NX and XX
 * @param returnOld GET
 * @param keepTtl KEEPTTL
 * @param ttlMillis from EX, PX, EXAT, PXAT, relative to now; may be 0 or less for a time that is past
 */
record SetOptions(PutMode mode, boolean returnOld, boolean keepTtl, OptionalLong ttlMillis) {
    /** The options of a command that has others, or none. */
    static SetOptions of(PutMode mode, OptionalLong ttlMillis) {
        return new SetOptions(mode, false, false, ttlMillis);
    }

    /** Reads the options from argument 3 on. */
    static SetOptions parse(Call call) {
        PutMode mode = PutMode.REPLACE;
        boolean returnOld = false;
        boolean keepTtl = false;
        int expire = 0;
        for (int i = 3; i < call.count(); i++) {
            String word = call.word(i);
            switch (word) {
                case "NX", "XX" -> {
                    PutMode wanted = word.equals("NX") ? PutMode.REPLACE_IF_ABSENT : PutMode.REPLACE_IF_PRESENT;
                    require(mode == PutMode.REPLACE || mode == wanted);
                    mode = wanted;
                }
                case "GET" -> returnOld = true;
                case "KEEPTTL" -> {
                    require(expire == 0);
                    keepTtl = true;
                }
                case "EX", "PX", "EXAT", "PXAT" -> {
                    require(!keepTtl && expire == 0 && i + 1 < call.count());
                    expire = i++;
                }
                default -> throw ReplyError.syntax();
            }
        }
        return new SetOptions(mode, returnOld, keepTtl, expire == 0 ? OptionalLong.empty() : ttl(call, expire));
    }

    /** Whether a time is given that is past: such a SET deletes. */
    boolean isPast() {
        return ttlMillis.isPresent() && ttlMillis.getAsLong() <= 0;
    }

    /** How long the value lives; 0 where its time is past. */
    OptionalLong lifeMillis() {
        return isPast() ? OptionalLong.of(0) : ttlMillis;
    }

    private static OptionalLong ttl(Call call, int option) {
        return OptionalLong.of(ExpireTime.millis(call, "set", option + 1, ExpireTime.Unit.valueOf(call.word(option))));
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw ReplyError.syntax();
        }
    }
}
