package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidemark.core.pool.Session;
import io.tidemark.core.pool.SessionOwner;
import io.tidemark.server.resp.protocol.Body;
import io.tidemark.server.resp.protocol.Output;
import io.tidemark.server.resp.protocol.ReplyWriter;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the commands of one connection, one after another.
 *
 * <p>For each argument the connection asks {@link #place}; when the command is complete it calls {@link #run}, and
 * {@link #step} for as long as the reply is {@link #unfinished}. Owns the connection's session in the pool.
 */
public final class CommandRunner implements AutoCloseable {
    static final String EMPTY_KEY = "ERR empty key; expected 1 to 65536 bytes";
    private static final Set<String> HTTP_WORDS = Set.of("POST", "HOST:");
    private static final int SHOWN_BYTES = 128;

    private final Environment environment;
    private final Client client;
    private final Session session;
    private final ReplyWriter reply;
    private final Assembly assembly;
    private final Runnable wake;
    /** The command under way, while it is unfinished. */
    private Optional<Call> unfinished = Optional.empty();

    private boolean waitsToSend;
    private boolean closing;

    /**
     * A runner that writes its replies to {@code output}.
     *
     * @param overdue told, from any thread, that a put or read of this client made no progress in time: the connection
     *     has to stop moving bytes and close this runner
     * @param wake called from another thread when the command is no longer {@link #working}: go on with {@link #step}
     */
    public CommandRunner(Environment environment, Client client, Output output, SessionOwner overdue, Runnable wake) {
        this.environment = environment;
        this.client = client;
        this.wake = wake;
        this.session = environment.pool().session("resp-" + client.id(), overdue);
        this.reply = new ReplyWriter(output);
        this.assembly = new Assembly(
                session, client, environment.arguments(), environment.facts().maxValueBytes());
    }

    /** Says where argument {@code index} of {@code bytes} bytes goes, in a command of {@code count} arguments. */
    public Placement place(int index, long bytes, int count) {
        return assembly.place(index, bytes, count);
    }

    /** Asks again after {@link Placement.NoSpace}. */
    public Placement retry() {
        return assembly.retry();
    }

    /** Stops asking after {@link Placement.NoSpace}: the value is read past and the command refused. */
    public Body refuse() {
        environment.stats().refusedFull.increment();
        return assembly.giveUp();
    }

    /** Runs the command that has arrived. */
    public void run() {
        Call call = new Call(environment, session, client, reply, assembly.arguments(), assembly.values(), wake);
        try {
            run(admitted(call), call);
        } catch (ReplyError e) {
            environment.stats().errors.increment();
            reply.error(e.reply());
        }
        environment.stats().commands.increment();
        closing |= call.closing();
        unfinished = Optional.of(call);
        clearWhenDone();
    }

    private void run(Command command, Call call) {
        long begin = environment.clocks().monotonicNanos();
        client.began(command.name(), begin / 1_000_000);
        boolean ended = false;
        try {
            learn(call);
            command.handler().run(call);
            ended = true;
        } finally {
            environment.stats().of(command).ran(environment.clocks().monotonicNanos() - begin, ended);
        }
    }

    /** Lets go of the command; its values stay until the last step. */
    private void clearWhenDone() {
        unfinished = unfinished.filter(call -> call.rest().isPresent());
        if (unfinished.isEmpty()) {
            assembly.clear();
        }
    }

    /** The command, in the order in which Redis looks at what may be wrong. */
    private Command admitted(Call call) {
        Command command = assembly.command().orElseThrow(() -> unknown(call));
        try {
            admit(command, call);
        } catch (ReplyError e) {
            environment.stats().of(command).rejected();
            throw e;
        }
        return command;
    }

    private void admit(Command command, Call call) {
        if (!command.accepts(call.count())) {
            throw ReplyError.wrongArguments(command.name());
        }
        if (!client.authenticated() && command.needsAuthentication()) {
            throw new ReplyError("NOAUTH Authentication required.");
        }
        assembly.refusal().ifPresent(error -> {
            throw error;
        });
        command.keys().indexes(call.count()).forEach(index -> {
            if (call.argument(index).length == 0) {
                throw new ReplyError(EMPTY_KEY);
            }
        });
    }

    /** Also ends connections that speak HTTP: a web page must not be able to send commands from a browser. */
    private static ReplyError unknown(Call call) {
        if (HTTP_WORDS.contains(call.word(0))) {
            call.close();
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 1; i < call.count() && shown.length() < SHOWN_BYTES; i++) {
            shown.append('\'')
                    .append(cut(call.argument(i), SHOWN_BYTES - shown.length()))
                    .append("' ");
        }
        return new ReplyError(
                "ERR unknown command '" + cut(call.argument(0), SHOWN_BYTES) + "', with args beginning with: " + shown);
    }

    private static String cut(byte[] text, int bytes) {
        return new String(text, 0, Math.min(text.length, bytes), ISO_8859_1);
    }

    private void learn(Call call) {
        for (IncomingValue value : call.values()) {
            call.learnLength(value.key().bytes(), value.bytes());
        }
    }

    /** Whether the reply of the last command goes on with {@link #step}. */
    public boolean unfinished() {
        return unfinished.isPresent();
    }

    /** Whether another thread is at work for the command; nothing may be run before it calls. */
    public boolean working() {
        return unfinished.isPresent() && !rest().ready();
    }

    /** Ends a wait for another thread whose time is over by now. Whether there was one: then {@link #step} goes on. */
    public boolean giveUp(long nowNanos) {
        return unfinished.isPresent() && rest().giveUp(nowNanos);
    }

    private Continuation rest() {
        return unfinished.flatMap(Call::rest).orElseThrow();
    }

    /** Whether the next step needs all that is queued to have left. */
    public boolean waitsToSend() {
        return waitsToSend;
    }

    /** Does the next step of an unfinished command. */
    public void step() {
        waitsToSend = false;
        try {
            Continuation rest = rest();
            Continuation.Progress progress = rest.step();
            waitsToSend = progress == Continuation.Progress.WHEN_SENT;
            if (progress == Continuation.Progress.DONE) {
                unfinished.ifPresent(call -> call.ended(rest));
            }
        } catch (ReplyError e) {
            environment.stats().errors.increment();
            reply.error(e.reply());
            assembly.command()
                    .ifPresent(command -> environment.stats().of(command).failedLater());
            unfinished.ifPresent(Call::abandon);
        }
        clearWhenDone();
    }

    /** Replies to malformed input; nothing may be run afterwards. */
    public void protocolError(String text) {
        environment.stats().protocolErrors.increment();
        reply.error("ERR " + text);
        closing = true;
    }

    /** Whether the connection is to be closed once its output has left. */
    public boolean closing() {
        return closing;
    }

    /** Bytes of a value arrived: the values under way have their whole time again. */
    public void valueProgressed() {
        session.progressed();
    }

    /** Calls {@code retry} from another thread when there may be space; false when too many wait. */
    public boolean awaitSpace(long bytes, long timeoutMillis, Runnable retry) {
        return session.awaitSpace(bytes, timeoutMillis, retry);
    }

    /** Drops a command under way, and ends the session with everything it holds. */
    @Override
    public void close() {
        assembly.clear();
        unfinished = Optional.empty();
        session.close();
    }
}
