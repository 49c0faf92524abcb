package io.tidemark.server.resp.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The socket itself. */
public record PlainWire(SocketChannel socket) implements Wire {
    @Override
    public int read(ByteBuffer target) throws IOException {
        return socket.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return socket.read(targets);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return socket.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return socket.write(sources);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return socket.write(sources, offset, length);
    }

    @Override
    public boolean holdsInput() {
        return false;
    }

    @Override
    public boolean waitsToWrite() {
        return false;
    }

    @Override
    public void push() {}

    @Override
    public boolean handshaking() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
