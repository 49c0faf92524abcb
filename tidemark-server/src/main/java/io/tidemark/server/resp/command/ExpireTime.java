package io.tidemark.server.resp.command;

/** Times to live as commands give them. */
final class ExpireTime {
    /** Seconds or milliseconds, from now or since 1970. */
    enum Unit {
        EX(1_000, false),
        PX(1, false),
        EXAT(1_000, true),
        PXAT(1, true);

        private final long millis;
        private final boolean absolute;

        Unit(long millis, boolean absolute) {
            this.millis = millis;
            this.absolute = absolute;
        }
    }

    private ExpireTime() {}

    /** The time to live in milliseconds at this argument, which has to be above 0 in its own unit. */
    static long millis(Call call, String command, int index, Unit unit) {
        long given = call.integer(index);
        if (given <= 0) {
            throw ReplyError.invalidExpire(command);
        }
        return toMillis(call, command, given, unit);
    }

    /** Milliseconds from now; negative when the time is past. An overflow is an invalid expire time. */
    static long toMillis(Call call, String command, long given, Unit unit) {
        long now = call.environment().clocks().wallMillis();
        if (Math.abs(given) > Long.MAX_VALUE / unit.millis) {
            throw ReplyError.invalidExpire(command);
        }
        long millis = given * unit.millis;
        if (unit.absolute) {
            return millis - now;
        }
        if (millis > Long.MAX_VALUE - now) {
            throw ReplyError.invalidExpire(command);
        }
        return millis;
    }
}
