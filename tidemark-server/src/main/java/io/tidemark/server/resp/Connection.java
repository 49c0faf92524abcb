package io.tidemark.server.resp;

import io.tidemark.server.resp.command.Client;
import io.tidemark.server.resp.command.CommandRunner;
import io.tidemark.server.resp.command.Environment;
import io.tidemark.server.resp.command.Placement;
import io.tidemark.server.resp.protocol.Body;
import io.tidemark.server.resp.protocol.DecoderLimits;
import io.tidemark.server.resp.protocol.LoopBuffers;
import io.tidemark.server.resp.protocol.Output;
import io.tidemark.server.resp.protocol.RespDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's socket, on its event loop.
 *
 * <p>Input is decoded as it comes; in the middle of a value the socket is read straight into the reserved segments. The
 * connection is <em>blocked</em> while {@value #BACKLOG_BYTES} bytes or more of replies have not left, while a write
 * waits for space, and once it is to be closed: then nothing is read, and what was read already is kept in {@code kept}
 * (at most one read's worth). So memory per connection is bounded whatever the client sends or does not read.
 */
final class Connection implements ReadyHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Queued bytes from which on no further command is run; a single larger value is let through. */
    private static final long BACKLOG_BYTES = 262_144;

    /** Reads, or rounds of replies, of one connection before others get a turn. */
    private static final int ROUNDS_PER_TURN = 64;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final EventLoop loop;
    private final Client client;
    private final Environment environment;
    private final RespLimits limits;
    private final SpaceWaiters spaceWaiters;
    private final RespDecoder decoder;
    private final Output output;
    private final CommandRunner runner;
    private ByteBuffer kept = NOTHING;
    private boolean waiting;
    private long waitEndNanos;
    private boolean endOfInput;
    /** Whether the last input was, or ended in, a value that lands in place; the next is likely to be one too. */
    private boolean sendsValues;

    private boolean closed;
    private long readNanos;
    private long writeNanos;

    private Connection(SocketChannel channel, EventLoop loop, Client client, Shared shared) throws IOException {
        this.channel = channel;
        this.loop = loop;
        this.client = client;
        this.environment = shared.environment();
        this.limits = shared.limits();
        this.spaceWaiters = shared.spaceWaiters();
        this.decoder = new RespDecoder(bounds(client));
        this.output = new Output(loop.buffers());
        this.runner = new CommandRunner(environment, client, output, what -> loop.execute(() -> closeStalled(what)));
        this.key = channel.register(loop.selector(), SelectionKey.OP_READ);
        this.readNanos = now();
        this.writeNanos = readNanos;
    }

    /** Serves an accepted socket; on the loop. */
    static void open(SocketChannel channel, EventLoop loop, Client client, Shared shared) {
        try {
            Connection connection = new Connection(channel, loop, client, shared);
            connection.key.attach(connection);
            loop.add(connection);
        } catch (IOException e) {
            LOG.debug("a client went away before it was served", e);
            shared.environment().clients().remove(client);
        }
    }

    private static DecoderLimits bounds(Client client) {
        return client.authenticated() ? DecoderLimits.AUTHENTICATED : DecoderLimits.UNAUTHENTICATED;
    }

    @Override
    public void ready(SelectionKey ready) {
        boolean readable = ready.isReadable();
        turn(() -> {
            if (readable) {
                read();
            }
        });
    }

    /** Something a turn begins with. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Does what can be done now, then says what to wait for. Nothing that goes wrong leaves this connection. */
    private void turn(Step first) {
        try {
            first.run();
            proceed();
            settle();
        } catch (IOException e) {
            LOG.debug("client {} is gone: {}", client.id(), e.getMessage());
            close();
        } catch (RuntimeException e) {
            LOG.error("client {}: a command failed in a way it should not; the connection is closed", client.id(), e);
            close();
        }
    }

    private void read() throws IOException {
        for (int i = 0; i < ROUNDS_PER_TURN && !endOfInput && !hasWork() && !blocked(); i++) {
            if (!readOnce()) {
                return;
            }
        }
    }

    /** One read, and what it brings. False when there is no more input for now. */
    private boolean readOnce() throws IOException {
        ByteBuffer in = readBuffer();
        long room = in.remaining();
        Optional<Body> landing = decoder.landing();
        long bytes;
        if (landing.isPresent()) {
            ByteBuffer[] targets = followedBy(landing.get().unfilled(), in);
            room = room(targets);
            bytes = channel.read(targets);
        } else {
            bytes = channel.read(in);
        }
        if (bytes < 0) {
            endOfInput = true;
            return false;
        }
        if (bytes > 0) {
            environment.stats().bytesIn.add(bytes);
            readNanos = now();
            process(in.flip());
            kept = in.hasRemaining()
                    ? ByteBuffer.allocate(in.remaining()).put(in).flip()
                    : NOTHING;
        }
        sendsValues = bytes == room ? decoder.landing().isPresent() : sendsValues || landing.isPresent();
        return bytes == room;
    }

    private ByteBuffer readBuffer() {
        LoopBuffers buffers = loop.buffers();
        if (decoder.skipping()) {
            return buffers.skip();
        }
        return sendsValues ? buffers.shortRead() : buffers.read();
    }

    private static ByteBuffer[] followedBy(ByteBuffer[] targets, ByteBuffer last) {
        ByteBuffer[] all = Arrays.copyOf(targets, targets.length + 1);
        all[targets.length] = last;
        return all;
    }

    private static long room(ByteBuffer[] targets) {
        long room = 0;
        for (ByteBuffer target : targets) {
            room += target.remaining();
        }
        return room;
    }

    /** Decodes and runs until the input is used up or the connection is blocked. */
    private void process(ByteBuffer in) throws IOException {
        while (!blocked()) {
            if (runner.unfinished()) {
                runner.step();
                continue;
            }
            switch (decoder.next(in)) {
                case NEED_INPUT -> {
                    return;
                }
                case ARGUMENT -> place();
                case COMMAND -> run();
                case PROTOCOL_ERROR -> runner.protocolError(decoder.error());
            }
        }
    }

    private void place() {
        switch (runner.place(decoder.argumentIndex(), decoder.argumentBytes(), decoder.argumentCount())) {
            case Placement.Into(Body body) -> decoder.fill(body);
            case Placement.NoSpace(long bytes) -> waitForSpace(bytes);
        }
    }

    private void run() {
        runner.run();
        decoder.limits(bounds(client));
    }

    private void waitForSpace(long bytes) {
        if (limits.onFull() == OnFull.REJECT || !spaceWaiters.enter()) {
            decoder.fill(runner.refuse());
            return;
        }
        environment.stats().fullWaits.increment();
        waiting = true;
        waitEndNanos = now() + limits.fullWaitMillis() * 1_000_000;
        awaitSpace(bytes);
    }

    /** Asks to be called when bytes were freed; gives up when the time is over or too many wait in the pool. */
    private void awaitSpace(long bytes) {
        long leftMillis = (waitEndNanos - now()) / 1_000_000;
        boolean queued = leftMillis > 0
                && environment.pool().awaitSpace(bytes, leftMillis, () -> loop.execute(() -> spaceMayBeThere(bytes)));
        if (!queued) {
            endWait(runner.refuse());
        }
    }

    private void spaceMayBeThere(long bytes) {
        if (closed) {
            return;
        }
        turn(() -> {
            switch (runner.retry()) {
                case Placement.Into(Body body) -> endWait(body);
                case Placement.NoSpace _ -> awaitSpace(bytes);
            }
        });
    }

    private void endWait(Body body) {
        waiting = false;
        spaceWaiters.leave();
        readNanos = now();
        decoder.fill(body);
    }

    /** Whether nothing may be run or read now. Sends first what can be sent. */
    private boolean blocked() throws IOException {
        if (output.pendingBytes() >= BACKLOG_BYTES) {
            flush();
        }
        return waiting || runner.closing() || output.pendingBytes() >= BACKLOG_BYTES;
    }

    /** Goes on with what was kept and with an unfinished reply, as far as the client takes replies. */
    private void proceed() throws IOException {
        flush();
        for (int i = 0; i < ROUNDS_PER_TURN && hasWork() && !blocked(); i++) {
            process(kept);
            flush();
        }
        if (!kept.hasRemaining()) {
            kept = NOTHING;
        }
    }

    private boolean hasWork() {
        return kept.hasRemaining() || runner.unfinished();
    }

    private void flush() throws IOException {
        long written = output.flush(channel);
        environment.stats().bytesOut.add(written);
        if (written > 0 || output.pendingBytes() == 0) {
            writeNanos = now();
        }
    }

    /** Closes when everything is done, else sets what the socket is waited for. */
    private void settle() throws IOException {
        boolean idle = output.pendingBytes() == 0 && !waiting;
        if (idle && (runner.closing() || (endOfInput && !hasWork()))) {
            close();
            return;
        }
        boolean read = !endOfInput && !hasWork() && !blocked();
        boolean write = output.pendingBytes() > 0 || (hasWork() && !waiting);
        int operations = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
        if (key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    /** Closes a client that takes no replies, that stopped within a command, or that has been idle for too long. */
    void checkTime(long nowNanos) {
        long stallNanos = limits.stallMillis() * 1_000_000;
        boolean writeStalled = output.pendingBytes() > 0 && nowNanos - writeNanos > stallNanos;
        boolean readStalled = decoder.midCommand()
                && output.pendingBytes() == 0
                && !waiting
                && nowNanos - Math.max(readNanos, writeNanos) > stallNanos;
        if (writeStalled || readStalled) {
            closeStalled(writeStalled ? "reply" : "command");
        } else if (limits.idleMillis() > 0 && quiet() && nowNanos - readNanos > limits.idleMillis() * 1_000_000) {
            environment.stats().idleConnections.increment();
            close();
        }
    }

    private void closeStalled(String what) {
        if (!closed) {
            LOG.info("client {} closed: its {} made no progress in time", client.id(), what);
            environment.stats().stalledConnections.increment();
            close();
        }
    }

    /** Whether the connection is between commands, with nothing left to send. */
    boolean quiet() {
        return !decoder.midCommand() && !waiting && !runner.unfinished() && output.pendingBytes() == 0;
    }

    /** Ends the connection and lets go of everything it holds. Idempotent. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (waiting) {
            spaceWaiters.leave();
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed", e);
        }
        output.close();
        runner.close();
        environment.clients().remove(client);
        loop.remove(this);
    }

    private long now() {
        return environment.clocks().monotonicNanos();
    }
}
