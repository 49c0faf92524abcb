package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Session;
import io.tidemark.server.keys.KeyCodec;
import io.tidemark.server.resp.protocol.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command that is arriving: its arguments on the heap, its values in reservations.
 *
 * <p>An argument on the heap has at most {@value #MAX_ARGUMENT_BYTES} bytes, those of a command together at most
 * {@value #MAX_COMMAND_BYTES}; beyond the first {@value #FREE_COMMAND_BYTES} they come out of a space that all
 * connections share. What is larger is read past, and the command answered with an error. Space is reserved
 * only for a command that may run: known, of the right arity, from a client that is let in.
 */
final class Assembly {
    private static final int MAX_ARGUMENT_BYTES = BlockKey.MAX_BYTES;
    private static final int MAX_COMMAND_BYTES = 8 << 20;
    /** What every command may have, however much others hold. */
    private static final int FREE_COMMAND_BYTES = 4 << 10;
    /** Weight of an argument beside its bytes. */
    private static final int ARGUMENT_OVERHEAD_BYTES = 64;

    /** Arguments of a refused command that are still listed: a million of them would take megabytes. */
    private static final int LISTED_AFTER_REFUSAL = 1_024;

    private static final byte[] ELSEWHERE = {};

    private final CommandTable table = CommandTable.get();
    private final Session session;
    private final Client client;
    private final ArgumentSpace space;
    private final long maxValueBytes;
    private List<byte[]> arguments = new ArrayList<>();
    private final List<IncomingValue> values = new ArrayList<>();
    private Optional<Command> command = Optional.empty();
    private Optional<ReplyError> refusal = Optional.empty();
    private long heapBytes;
    /** Taken of the shared space. */
    private long takenBytes;

    Assembly(Session session, Client client, ArgumentSpace space, long maxValueBytes) {
        this.session = session;
        this.client = client;
        this.space = space;
        this.maxValueBytes = maxValueBytes;
    }

    /** Says where an argument goes; {@code count} is the number of arguments of the command. */
    Placement place(int index, long bytes, int count) {
        if (index == 1) {
            command = table.find(arguments.getFirst());
        }
        boolean isValue =
                index > 0 && command.isPresent() && command.get().values().isValue(index);
        return isValue && mayRun(count) ? placeValue(index, bytes) : placeOnHeap(bytes);
    }

    private boolean mayRun(int count) {
        return refusal.isEmpty()
                && command.get().accepts(count)
                && (client.authenticated() || !command.get().needsAuthentication());
    }

    private Placement placeOnHeap(long bytes) {
        heapBytes += bytes + ARGUMENT_OVERHEAD_BYTES;
        if (bytes > MAX_ARGUMENT_BYTES) {
            return refuse(bytes, "ERR argument of " + bytes + " bytes; expected at most " + MAX_ARGUMENT_BYTES);
        }
        if (heapBytes > MAX_COMMAND_BYTES) {
            return refuse(bytes, "ERR arguments of more than " + MAX_COMMAND_BYTES + " bytes in one command");
        }
        if (!taken()) {
            return refuse(bytes, "OOM arguments of all clients together take too much memory; try again");
        }
        byte[] target = new byte[(int) bytes];
        arguments.add(target);
        return new Placement.Into(Body.into(target));
    }

    /** Whether the heap for the arguments so far is there. */
    private boolean taken() {
        long more = heapBytes - takenBytes;
        if (more <= FREE_COMMAND_BYTES) {
            return true;
        }
        if (!space.take(more)) {
            return false;
        }
        takenBytes = heapBytes;
        return true;
    }

    private Placement placeValue(int index, long bytes) {
        ValuePositions positions = command.get().values();
        byte[] key = arguments.get(index - positions.keyDistance());
        if (key.length == 0) {
            return refuse(bytes, CommandRunner.EMPTY_KEY);
        }
        if (bytes > maxValueBytes) {
            return refuse(bytes, "ERR value of " + bytes + " bytes; expected at most " + maxValueBytes);
        }
        arguments.add(ELSEWHERE);
        values.add(new IncomingValue(KeyCodec.decode(key), bytes, positions.mode()));
        return values.getLast().place(session);
    }

    private Placement refuse(long bytes, String error) {
        if (refusal.isEmpty()) {
            refusal = Optional.of(new ReplyError(error));
        }
        if (arguments.size() < LISTED_AFTER_REFUSAL) {
            arguments.add(ELSEWHERE);
        }
        return new Placement.Into(Body.discard(bytes));
    }

    /** Asks for space again, for the value that found none. */
    Placement retry() {
        return values.getLast().place(session);
    }

    /** Gives the value up that found no space; its bytes are read past. */
    Body giveUp() {
        refusal = Optional.of(ReplyError.noSpace());
        return Body.discard(values.getLast().bytes());
    }

    /** What is wrong with the command as it arrived. */
    Optional<ReplyError> refusal() {
        return refusal;
    }

    /** The command that the first argument names. */
    Optional<Command> command() {
        return table.find(arguments.getFirst());
    }

    List<byte[]> arguments() {
        return arguments;
    }

    List<IncomingValue> values() {
        return values;
    }

    /** Ready for the next command. Drops what was not committed, and gives the heap of the arguments back. */
    void clear() {
        space.giveBack(takenBytes);
        takenBytes = 0;
        values.forEach(IncomingValue::close);
        values.clear();
        arguments = new ArrayList<>(4);
        command = Optional.empty();
        refusal = Optional.empty();
        heapBytes = 0;
    }
}
