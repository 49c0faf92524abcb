package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Ends;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Session;
import io.tidemark.server.resp.protocol.Body;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A value on its way from the socket into a reservation, until it is committed or dropped. */
final class IncomingValue implements AutoCloseable {
    private final BlockKey key;
    private final long bytes;
    private final PutMode mode;
    private Reserved reserved = new Reserved.Refused(Answer.FAILED);

    IncomingValue(BlockKey key, long bytes, PutMode mode) {
        this.key = key;
        this.bytes = bytes;
        this.mode = mode;
    }

    BlockKey key() {
        return key;
    }

    long bytes() {
        return bytes;
    }

    /** Asks the pool for space. */
    Placement place(Session session) {
        reserved = session.reserve(key, bytes, PutHints.NONE, mode);
        return switch (reserved) {
            case Reserved.Reservation reservation -> new Placement.Into(landing(reservation));
            case Reserved.Refused(Answer answer) ->
                answer == Answer.NO_SPACE ? new Placement.NoSpace(bytes) : new Placement.Into(Body.discard(bytes));
        };
    }

    private Body landing(Reserved.Reservation reservation) {
        List<MemorySegment> segments = reservation.segments();
        long room = segments.stream().mapToLong(MemorySegment::byteSize).sum();
        if (room != bytes) {
            throw new IllegalStateException("reserved " + room + " bytes for a value of " + bytes);
        }
        return Body.into(segments);
    }

    /** Why there is no reservation; STORED while there is one. */
    Answer refusal() {
        return switch (reserved) {
            case Reserved.Reservation _ -> Answer.STORED;
            case Reserved.Refused(Answer answer) -> answer;
        };
    }

    /** Publishes the value; the refusal where there is no reservation. */
    Answer commit(PutHints hints, PutMode finalMode, Ends ends) {
        return switch (reserved) {
            case Reserved.Reservation reservation -> reservation.commit(hints, finalMode, ends);
            case Reserved.Refused(Answer answer) -> answer;
        };
    }

    /**
     * As {@link #commit}, and answers {@code old} with the value that the key held at that moment; {@code seen} is what a
     * read has just found. Without a reservation nothing is answered but the refusal.
     */
    Answer exchange(PutHints hints, PutMode finalMode, ReadResult seen, Consumer<ReadResult> old, Ends ends) {
        return switch (reserved) {
            case Reserved.Reservation reservation -> reservation.exchange(hints, finalMode, seen, old, ends);
            case Reserved.Refused(Answer answer) -> {
                if (seen instanceof ReadResult.Pinned pinned) {
                    pinned.close();
                }
                yield answer;
            }
        };
    }

    /** The space that holds the value; nothing where it was refused. */
    Optional<Reserved.Reservation> reservation() {
        return reserved instanceof Reserved.Reservation reservation ? Optional.of(reservation) : Optional.empty();
    }

    /** Drops the value unless it was committed. */
    @Override
    public void close() {
        if (reserved instanceof Reserved.Reservation reservation) {
            reservation.close();
        }
    }
}
