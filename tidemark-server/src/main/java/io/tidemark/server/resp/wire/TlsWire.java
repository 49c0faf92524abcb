package io.tidemark.server.resp.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import tlschannel.NeedsReadException;
import tlschannel.NeedsWriteException;
import tlschannel.ServerTlsChannel;
import tlschannel.WouldBlockException;

/**
 * A socket under TLS, server side. The handshake is done by the first reads, on the loop.
 *
 * <p>The channel below throws where a non-blocking one would answer 0, and may have taken bytes of a buffer when it does;
 * so what moved is told by the buffers' positions.
 */
public final class TlsWire implements Wire {
    /** Bytes that one read decrypts at most, so that a client who sends fast does not hold the loop. */
    private static final long READ_BYTES_MAX = 262_144;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel socket;
    private final ServerTlsChannel tls;
    private boolean established;
    /** Taken bytes, encrypted, wait for the socket. */
    private boolean owesBytes;
    /** The handshake, or an answer to the peer's change of keys, waits for the socket before reading goes on. */
    private boolean readNeedsWrite;

    private boolean holdsInput;

    private TlsWire(SocketChannel socket, SSLContext context, boolean clientCertificates) {
        this.socket = socket;
        this.tls = ServerTlsChannel.newBuilder(socket, context)
                .withEngineFactory(any -> engine(any, clientCertificates))
                .withSessionInitCallback(this::established)
                .withWaitForCloseConfirmation(false)
                .build();
    }

    /** A wire over an accepted, non-blocking socket, with the certificates that {@code material} has now. */
    public static TlsWire over(SocketChannel socket, TlsMaterial material) {
        return new TlsWire(socket, material.context(), material.clientCertificates());
    }

    private static SSLEngine engine(SSLContext context, boolean clientCertificates) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(clientCertificates);
        return engine;
    }

    private void established(SSLSession session) {
        established = true;
    }

    @Override
    public SocketChannel socket() {
        return socket;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(new ByteBuffer[] {target});
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        long room = remaining(targets, 0, targets.length);
        long left = room;
        holdsInput = false;
        readNeedsWrite = false;
        try {
            while (left > 0 && room - left < READ_BYTES_MAX) {
                if (tls.read(targets) < 0) {
                    return left < room ? room - left : -1;
                }
                left = remaining(targets, 0, targets.length);
            }
            holdsInput = true;
        } catch (NeedsReadException e) {
            return room - remaining(targets, 0, targets.length);
        } catch (NeedsWriteException e) {
            readNeedsWrite = true;
            return room - remaining(targets, 0, targets.length);
        }
        return room - left;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long before = remaining(sources, offset, length);
        owesBytes = false;
        try {
            tls.write(sources, offset, length);
        } catch (NeedsWriteException e) {
            owesBytes = true;
        } catch (NeedsReadException e) {
            // the handshake is not over: the next read goes on with it
            return before - remaining(sources, offset, length);
        }
        return before - remaining(sources, offset, length);
    }

    private static long remaining(ByteBuffer[] buffers, int offset, int length) {
        long bytes = 0;
        for (int i = offset; i < offset + length; i++) {
            bytes += buffers[i].remaining();
        }
        return bytes;
    }

    @Override
    public boolean holdsInput() {
        return holdsInput;
    }

    @Override
    public boolean waitsToWrite() {
        return owesBytes || readNeedsWrite;
    }

    @Override
    public void push() throws IOException {
        if (owesBytes) {
            write(NOTHING.duplicate());
        }
    }

    @Override
    public boolean handshaking() {
        return !established;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    /** Says goodbye as far as the socket takes it now, and closes the socket. */
    @Override
    public void close() throws IOException {
        try (socket) {
            tls.close();
        } catch (WouldBlockException e) {
            // the client does not read; it sees the end of the socket instead
            return;
        }
    }
}
