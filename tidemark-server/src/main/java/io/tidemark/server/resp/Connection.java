package io.tidemark.server.resp;

import io.tidemark.server.resp.command.Client;
import io.tidemark.server.resp.command.CommandRunner;
import io.tidemark.server.resp.command.Environment;
import io.tidemark.server.resp.command.Placement;
import io.tidemark.server.resp.protocol.Body;
import io.tidemark.server.resp.protocol.DecoderLimits;
import io.tidemark.server.resp.protocol.LoopBuffers;
import io.tidemark.server.resp.protocol.Output;
import io.tidemark.server.resp.protocol.ReplyMemoryException;
import io.tidemark.server.resp.protocol.RespDecoder;
import io.tidemark.server.resp.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's socket, on its event loop.
 *
 * <p>Input is decoded as it comes; in the middle of a value the socket is read straight into the reserved segments. The
 * connection is <em>blocked</em> while {@value #BACKLOG_BYTES} bytes or more of replies have not left (less when the
 * server's memory for replies runs short), while a write waits for space, and once it is to be closed: then no command
 * is run. Where it is the replies that block, input is still read into {@code kept}, within bounds: many clients send a
 * whole pipeline before they read the first reply, and would wait for us as we for them. So memory per connection is
 * bounded whatever the client sends or does not read.
 */
final class Connection implements ReadyHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** Queued bytes from which on no further command is run; a single larger value is let through. */
    private static final long BACKLOG_BYTES = 262_144;

    /** Reads, or rounds of replies, of one connection before others get a turn. */
    private static final int ROUNDS_PER_TURN = 64;

    /** Commands, and steps of long ones, of one connection before others get a turn. */
    private static final int STEPS_PER_TURN = 1_024;

    /** Commands that a step of a long one counts as: it goes over some 16 keys. */
    private static final int LONG_STEP = 16;

    private final Wire wire;
    private final SelectionKey key;
    private final EventLoop loop;
    private final Client client;
    private final Environment environment;
    private final RespLimits limits;
    private final RespDecoder decoder;
    private final Output output;
    private final CommandRunner runner;
    private final KeptInput kept;
    private final PendingOnce readingOn;
    private boolean waiting;
    private long waitEndNanos;
    private boolean endOfInput;
    /** Whether the last input was, or ended in, a value that lands in place; the next is likely to be one too. */
    private boolean sendsValues;

    private boolean closed;
    private int stepsLeft;
    private long readNanos;
    private long writeNanos;

    private Connection(Wire wire, EventLoop loop, Client client, Shared shared) throws IOException {
        this.wire = wire;
        this.loop = loop;
        this.client = client;
        this.environment = shared.environment();
        this.limits = shared.limits();
        this.decoder = new RespDecoder(bounds(client));
        this.kept = new KeptInput(shared.readAhead());
        this.output = new Output(loop.buffers(), () -> loop.shed(this));
        this.runner = new CommandRunner(
                environment,
                client,
                output,
                what -> loop.execute(() -> closeStalled(what)),
                () -> loop.execute(this::workDone));
        this.readingOn = new PendingOnce(this::readOn, loop::execute);
        this.key = wire.socket().register(loop.selector(), SelectionKey.OP_READ);
        this.readNanos = now();
        this.writeNanos = readNanos;
    }

    /** Serves an accepted socket; on the loop. */
    static void open(Wire wire, EventLoop loop, Client client, Shared shared) {
        try {
            Connection connection = new Connection(wire, loop, client, shared);
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
        boolean readable = ready.isReadable() || wire.waitsToWrite();
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
        stepsLeft = STEPS_PER_TURN;
        try {
            first.run();
            proceed();
            settle();
        } catch (ReplyMemoryException e) {
            LOG.debug("client {}: {}", client.id(), e.getMessage());
            closeShed();
        } catch (IOException e) {
            LOG.debug("client {} is gone: {}", client.id(), e.getMessage());
            close();
        } catch (Throwable e) {
            loop.failures().note("client " + client.id() + " was in the middle of a command and is closed", e);
            close();
        }
    }

    private void read() throws IOException {
        for (int i = 0; i < ROUNDS_PER_TURN && mayRead(); i++) {
            if (!(kept.isEmpty() ? readOnce() : readAhead())) {
                return;
            }
        }
    }

    /** Whether the socket is to be read now: to run what comes, or to take it off a client that does not read yet. */
    private boolean mayRead() throws IOException {
        if (endOfInput || suspended() || runner.closing()) {
            return false;
        }
        return outputBlocked() ? kept.isEmpty() || kept.room() > 0 : !hasWork();
    }

    /** One read of commands to be run later. False when there is no more input for now. */
    private boolean readAhead() throws IOException {
        ByteBuffer in = loop.buffers().read();
        in.limit(Math.min(in.limit(), kept.room()));
        int bytes = wire.read(in);
        endOfInput = bytes < 0;
        if (bytes > 0) {
            environment.stats().bytesIn.add(bytes);
            readNanos = now();
            kept.append(in.flip());
        }
        return bytes > 0 && !in.hasRemaining() && in.limit() == in.capacity();
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
            bytes = wire.read(targets);
        } else {
            bytes = wire.read(in);
        }
        if (bytes < 0) {
            endOfInput = true;
            return false;
        }
        if (bytes > 0) {
            environment.stats().bytesIn.add(bytes);
            readNanos = now();
            landing.ifPresent(value -> runner.valueProgressed());
            process(in.flip());
            kept.keep(in);
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

    /** Decodes and runs until the input is used up, the connection is blocked or its turn is over. */
    private void process(ByteBuffer in) throws IOException {
        while (stepsLeft > 0 && !blocked()) {
            if (runner.unfinished()) {
                stepsLeft -= LONG_STEP;
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
        stepsLeft--;
        runner.run();
        decoder.limits(bounds(client));
    }

    private void waitForSpace(long bytes) {
        if (limits.onFull() == OnFull.REJECT) {
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
                && runner.awaitSpace(bytes, leftMillis, () -> loop.execute(() -> spaceMayBeThere(bytes)));
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
        readNanos = now();
        decoder.fill(body);
    }

    /** Whether nothing may be run or read now. Sends first what can be sent. */
    private boolean blocked() throws IOException {
        return suspended() || runner.closing() || outputBlocked();
    }

    /** Whether the command under way waits for space, or for another thread at work for it. */
    private boolean suspended() {
        return waiting || runner.working();
    }

    private void workDone() {
        if (!closed) {
            turn(() -> {});
        }
    }

    /** Whether the client has to take replies before the next command is run. Sends first what can be sent. */
    private boolean outputBlocked() throws IOException {
        if (output.pendingBytes() > backlogBytes()) {
            flush();
        }
        return output.pendingBytes() > backlogBytes();
    }

    private long backlogBytes() {
        return runner.waitsToSend() ? 0 : Math.min(BACKLOG_BYTES, loop.buffers().shareBytes());
    }

    /** Goes on with what was kept and with an unfinished reply, as far as the client takes replies. */
    private void proceed() throws IOException {
        flush();
        for (int i = 0; i < ROUNDS_PER_TURN && stepsLeft > 0 && hasWork() && !blocked(); i++) {
            process(kept.bytes());
            flush();
        }
        if (kept.isEmpty()) {
            kept.clear();
        }
    }

    private boolean hasWork() {
        return !kept.isEmpty() || runner.unfinished();
    }

    private void flush() throws IOException {
        wire.push();
        long written = output.flush(wire);
        environment.stats().bytesOut.add(written);
        if (written > 0 || !owes()) {
            writeNanos = now();
        }
    }

    /** Closes when everything is done, else sets what the socket is waited for. */
    private void settle() throws IOException {
        boolean idle = !owes() && !suspended();
        if (idle && (runner.closing() || (endOfInput && !hasWork()))) {
            close();
            return;
        }
        boolean read = mayRead();
        boolean write = owes() || (hasWork() && !suspended());
        int operations = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
        if (key.interestOps() != operations) {
            key.interestOps(operations);
        }
        if (read && wire.holdsInput()) {
            readingOn.post();
        }
    }

    /** Reads what the selector does not tell of. */
    private void readOn() {
        if (!closed) {
            turn(this::read);
        }
    }

    /** Whether bytes have to leave before the connection is done. */
    private boolean owes() {
        return output.pendingBytes() > 0 || wire.waitsToWrite();
    }

    /** Closes a client that takes no replies, that stopped within a command, or that has been idle for too long. */
    void checkTime(long nowNanos) {
        if (runner.giveUp(nowNanos)) {
            turn(() -> {});
        }
        long stallNanos = limits.stallMillis() * 1_000_000;
        boolean writeStalled = owes() && nowNanos - writeNanos > stallNanos;
        boolean readStalled = (decoder.midCommand() || wire.handshaking())
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

    /** Whether replies wait for the client; then memory for replies is lent to it. */
    boolean owesReplies() {
        return output.pendingBytes() > 0;
    }

    /** How long the client has taken nothing of its replies. */
    long unreadNanos(long nowNanos) {
        return nowNanos - writeNanos;
    }

    /** Closes the connection to have the memory of its replies for others. */
    void closeShed() {
        if (!closed) {
            LOG.info("client {} closed: memory for replies is short and it does not read its own", client.id());
            environment.stats().shedConnections.increment();
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
        try {
            wire.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed", e);
        }
        kept.clear();
        output.close();
        runner.close();
        environment.clients().remove(client);
        loop.remove(this);
    }

    private long now() {
        return environment.clocks().monotonicNanos();
    }
}
