package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.Ranges;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Session;
import io.tidemark.server.keys.KeyCodec;
import io.tidemark.server.resp.protocol.Held;
import io.tidemark.server.resp.protocol.Numbers;
import io.tidemark.server.resp.protocol.ReplyWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One command being run: its arguments and values, who sent it, and where the reply goes. */
final class Call {
    /** Values up to this length are copied into the reply; a gathering write costs more than the copy. */
    private static final int COPIED_BYTES = 2_048;

    private final Environment environment;
    private final Session session;
    private final Client client;
    private final ReplyWriter reply;
    private final List<byte[]> arguments;
    private final List<IncomingValue> values;
    private final Runnable wake;
    private final Uses uses;
    private Optional<Continuation> rest = Optional.empty();
    private boolean closing;

    /** @param wake called from another thread when what {@link #leave} was given has become ready */
    Call(
            Environment environment,
            Session session,
            Client client,
            ReplyWriter reply,
            List<byte[]> arguments,
            List<IncomingValue> values,
            Runnable wake) {
        this.environment = environment;
        this.session = session;
        this.client = client;
        this.reply = reply;
        this.arguments = arguments;
        this.values = values;
        this.wake = wake;
        this.uses = Uses.of(environment.uses(), environment.clocks(), client.id());
    }

    Environment environment() {
        return environment;
    }

    Pool pool() {
        return environment.pool();
    }

    RespStats stats() {
        return environment.stats();
    }

    /** What the command uses, for who listens. */
    Uses uses() {
        return uses;
    }

    Session session() {
        return session;
    }

    Client client() {
        return client;
    }

    ReplyWriter reply() {
        return reply;
    }

    /** Number of arguments, the name included. */
    int count() {
        return arguments.size();
    }

    byte[] argument(int index) {
        return arguments.get(index);
    }

    String text(int index) {
        return new String(arguments.get(index), UTF_8);
    }

    /** An argument as an option word, in upper case. */
    String word(int index) {
        return text(index).toUpperCase(Locale.ROOT);
    }

    long integer(int index) {
        long value = Numbers.parse(arguments.get(index));
        if (value == Numbers.NOT_A_NUMBER) {
            throw ReplyError.notAnInteger();
        }
        return value;
    }

    /** The block that the key at this index names. */
    BlockKey key(int index) {
        return KeyCodec.decode(arguments.get(index));
    }

    /** The values of the command, in order; they have arrived in full. */
    List<IncomingValue> values() {
        return values;
    }

    /** Leaves {@code work} to another thread, and the reply until it is done. */
    void work(Executor lane, Runnable work, Runnable reply) {
        if (!works(lane, work, reply)) {
            throw new ReplyError("TRYAGAIN too many commands wait for this device");
        }
    }

    /** As {@link #work}; false, and nothing will be done, where too many wait already. */
    boolean works(Executor lane, Runnable work, Runnable reply) {
        Job job = new Job(work, reply);
        leave(job);
        try {
            lane.execute(() -> job.run(wake));
            return true;
        } catch (RejectedExecutionException e) {
            ended(job);
            return false;
        }
    }

    /** What a change of blocks may wait for. */
    Below below() {
        return new Below(pool(), environment.jobs());
    }

    /** Leaves the rest of the command to be done in steps, as the client takes the reply. */
    void leave(Continuation continuation) {
        rest = Optional.of(continuation);
    }

    /** What is left to do. */
    Optional<Continuation> rest() {
        return rest;
    }

    /** The continuation has done its last step, in which it may have left another one. */
    void ended(Continuation continuation) {
        rest = rest.filter(next -> !next.equals(continuation));
    }

    /** Gives up what is left to do. */
    void abandon() {
        rest = Optional.empty();
    }

    /** Closes the connection once the reply has left. */
    void close() {
        closing = true;
    }

    boolean closing() {
        return closing;
    }

    /**
     * Finds the block for reading, and counts a hit or a miss. {@code then} ends the command: now where the bytes are at
     * hand, else when a device has brought them.
     */
    void read(BlockKey key, Consumer<ReadResult> then) {
        readRanges(key, Ranges.WHOLE, then);
    }

    /** As {@link #read}, of parts of the block. */
    void readRanges(BlockKey key, Ranges ranges, Consumer<ReadResult> then) {
        await(startRead(key, ranges), result -> {
            uses.read(key, result);
            then.accept(counted(result));
        });
    }

    /** Goes on with {@code then} once the read is answered; at once where it is. */
    void await(PendingRead read, Consumer<ReadResult> then) {
        Optional<ReadResult> answer = read.answer();
        if (answer.isPresent()) {
            then.accept(answer.get());
        } else {
            leave(new AwaitedRead(read, then));
        }
    }

    /** Begins to read the block; whoever takes the answer gives it to {@link #counted}. */
    PendingRead startRead(BlockKey key, Ranges ranges) {
        PendingRead read = newRead();
        session.readRanges(key, ranges, read);
        return read;
    }

    /** A read that somebody else is to answer. */
    PendingRead newRead() {
        long waitNanos =
                TimeUnit.MILLISECONDS.toNanos(pool().config().deviceReads().waitMillis());
        return new PendingRead(wake, environment.clocks().monotonicNanos() + waitNanos);
    }

    /** Notes how long a client's values are whose misses have to be as long as a hit. */
    void learnLength(byte[] key, long valueBytes) {
        if (client.paddedMisses()) {
            environment.padding().learn(key, valueBytes);
        }
    }

    /** Counts a hit, a miss or a refusal, once a read. */
    ReadResult counted(ReadResult result) {
        switch (result) {
            case ReadResult.Missed _ -> stats().misses.increment();
            case ReadResult.Refused _ -> stats().refusedReads.increment();
            case ReadResult.Pinned _ -> stats().hits.increment();
        }
        return result;
    }

    /** Replies with a whole value; the pin is closed once it has left. */
    void replyValue(ReadResult.Pinned pinned) {
        replyBytes(pinned.bytes(), pinned.segments(), new PinnedValue(pinned));
    }

    /** Replies with bytes of a block; {@code held} is closed once they have left. */
    void replyBytes(long bytes, List<MemorySegment> segments, Held held) {
        if (bytes > COPIED_BYTES) {
            reply.bulkInPlace(bytes, segments, held);
            return;
        }
        try (held) {
            reply.bulkCopy(bytes, segments);
        }
    }

    /** Ends a command whose value cannot be read now. */
    static ReplyError notNow() {
        return new ReplyError(
                "TRYAGAIN the value cannot be read now: too many are being read, or its device does not answer");
    }

    /** A pin as what holds queued bytes. */
    record PinnedValue(ReadResult.Pinned pinned) implements Held {
        @Override
        public void progressed() {
            pinned.progressed();
        }

        @Override
        public void close() {
            pinned.close();
        }
    }
}
