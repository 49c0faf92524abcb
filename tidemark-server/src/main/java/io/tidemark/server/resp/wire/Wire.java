package io.tidemark.server.resp.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.SocketChannel;

/**
 * What a connection reads from and writes to, without ever blocking.
 *
 * <p>A write answers how many bytes were taken, and 0 when none can be taken now. Under TLS, bytes that were taken may
 * still have to leave ({@link #waitsToWrite()}), and bytes that came may lie behind the wire where a selector does not
 * see them ({@link #holdsInput()}).
 */
public sealed interface Wire extends GatheringByteChannel permits PlainWire, TlsWire {
    /** The socket below; non-blocking. To be registered with a selector, and for nothing else. */
    SocketChannel socket();

    /** Reads into one buffer. Bytes read, 0 when nothing is there now, -1 at the end of the input. */
    int read(ByteBuffer target) throws IOException;

    /**
     * Reads into buffers one after another; as {@link #read(ByteBuffer)}. Short of full when nothing is left, or when
     * others are to have their turn: then {@link #holdsInput()}.
     */
    long read(ByteBuffer[] targets) throws IOException;

    /** Whether input may be there that the selector does not tell of. */
    boolean holdsInput();

    /** Whether the socket has to become writable before this wire can go on, whatever its user wants to write. */
    boolean waitsToWrite();

    /** Sends what was taken before and has not left. */
    void push() throws IOException;

    /** Whether the client still has to prove that it speaks TLS. */
    boolean handshaking();
}
