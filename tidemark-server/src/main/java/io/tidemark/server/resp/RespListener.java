package io.tidemark.server.resp;

import java.util.Optional;

/**
 * One listening socket of the Redis protocol.
 *
 * @param compat quirks of the clients of this listener
 * @param password what AUTH has to give (user {@code default}); empty lets everyone in
 */
public record RespListener(ListenAddress address, Compat compat, Optional<String> password) {
    /** A listener without a password. */
    public RespListener(ListenAddress address, Compat compat) {
        this(address, compat, Optional.empty());
    }

    /** A listener without quirks and without a password. */
    public static RespListener of(ListenAddress address) {
        return new RespListener(address, Compat.NONE);
    }

    /** The same with a password, or without one. */
    public RespListener with(Optional<String> newPassword) {
        return new RespListener(address, compat, newPassword);
    }

    /** Whether clients speak TLS on it. */
    boolean tls() {
        return address instanceof ListenAddress.Tcp tcp && tcp.tls();
    }

    /** Hides the password. */
    @Override
    public String toString() {
        return address
                + (compat == Compat.NONE ? "" : " compat " + compat.word())
                + (password.isPresent() ? " with a password" : "");
    }
}
