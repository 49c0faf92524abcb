package io.tidemark.server.resp;

import java.util.Optional;

/**
 * One listening socket of the Redis protocol.
 *
 * @param compat quirks of the clients of this listener
 * @param password what AUTH has to give (user {@code default}); empty lets everyone in
 */
public record RespListener(ListenAddress address, Compat compat, Optional<String> password) {
    /** A listener without quirks and without a password. */
    public static RespListener of(ListenAddress address) {
        return new RespListener(address, Compat.NONE, Optional.empty());
    }
}
