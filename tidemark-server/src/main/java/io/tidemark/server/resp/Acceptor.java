package io.tidemark.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts the connections of one listener and hands them to the event loops in turn. */
final class Acceptor implements ReadyHandler {
    /**
     * Send buffer of a Unix socket; the kernel caps it (net.core.wmem_max) and doubles it. Asked for, it is twice the
     * default, so that a large value leaves in half as many turns of the loop. TCP sizes its own.
     */
    private static final int UNIX_SEND_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final byte[] TOO_MANY = "-ERR max number of clients reached\r\n".getBytes(US_ASCII);
    private static final int ACCEPTS_PER_TURN = 64;

    private final ServerSocket socket;
    private final ConnectionFactory factory;
    private final SelectionKey key;

    /** Registers the listener with {@code loop}; to be called on the loop, or before it runs. */
    Acceptor(ServerSocket socket, EventLoop loop, ConnectionFactory factory) throws IOException {
        this.socket = socket;
        this.factory = factory;
        socket.channel().configureBlocking(false);
        this.key = socket.channel().register(loop.selector(), SelectionKey.OP_ACCEPT);
        key.attach(this);
    }

    @Override
    public void ready(SelectionKey ready) {
        ServerSocketChannel server = socket.channel();
        try {
            for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                admit(channel);
            }
        } catch (ClosedChannelException e) {
            key.cancel();
        } catch (IOException e) {
            // most likely out of descriptors: stand back until the next tick instead of spinning on the same error
            LOG.warn("cannot accept on {}: {}", socket.listener().address(), e.getMessage());
            key.interestOps(0);
        }
    }

    /** Accepts again after an error. */
    void resume() {
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void admit(SocketChannel channel) {
        try {
            channel.configureBlocking(false);
            if (channel.getRemoteAddress() instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            } else {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, UNIX_SEND_BYTES);
            }
            if (!factory.open(channel, socket.listener())) {
                if (!socket.listener().tls()) {
                    channel.write(ByteBuffer.wrap(TOO_MANY));
                }
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("a client went away while it connected", e);
            closeQuietly(channel);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed", e);
        }
    }
}
