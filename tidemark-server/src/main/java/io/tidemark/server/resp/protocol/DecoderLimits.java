package io.tidemark.server.resp.protocol;

/**
 * Bounds on what a client may send.
 *
 * @param maxArguments arguments of one command
 * @param maxArgumentBytes bytes of one argument
 * @param kind put before the name of a broken bound in the error, with a blank; empty or {@code "unauthenticated "}
 */
public record DecoderLimits(int maxArguments, long maxArgumentBytes, String kind) {
    /** For clients that are let in: as wide as Redis's. */
    public static final DecoderLimits AUTHENTICATED = new DecoderLimits(1 << 20, 512L << 20, "");

    /** For clients that still have to give a password: enough for AUTH and HELLO. */
    public static final DecoderLimits UNAUTHENTICATED = new DecoderLimits(10, 16_384, "unauthenticated ");
}
