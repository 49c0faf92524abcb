package io.tidemark.server.replay;

import java.io.IOException;

/** Which put the server understands. */
enum Dialect {
    /** {@code TM.PUT} with parent and tail hints. */
    TIDEMARK,
    /** Plain {@code SET}: any other server of the Redis protocol. */
    REDIS;

    /** Asks the server: only Tidemark knows {@code TM.STATUS}. */
    static Dialect of(RespConnection server) throws IOException {
        Reply reply = server.call("TM.STATUS");
        return switch (reply) {
            case Reply.Failure failure when failure.text().startsWith("ERR unknown command") -> REDIS;
            case Reply.Failure failure -> throw new ServerRefusedException("TM.STATUS", failure);
            default -> TIDEMARK;
        };
    }
}
