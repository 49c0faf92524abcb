package io.tidemark.server.volume;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The three frames of a delete event: topic, sequence number, and the event, packed on its own, with its time. */
final class DeleteMessage {
    private DeleteMessage() {}

    /** {@code kv@<medium>@<model>}. */
    static byte[] topic(String medium, String model) {
        return ("kv@" + medium + "@" + model).getBytes(StandardCharsets.UTF_8);
    }

    /** Eight bytes, the highest first. */
    static byte[] sequence(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** {@code [time, [event]]}, the event {@code ["BlockRemoved", [hash, ...], medium]} carried as bytes. */
    static byte[] payload(double seconds, List<Long> hashes, String medium) {
        MessagePack event = new MessagePack().array(3).string("BlockRemoved").array(hashes.size());
        hashes.forEach(event::unsigned);
        event.string(medium);
        return new MessagePack()
                .array(2)
                .float64(seconds)
                .array(1)
                .binary(event.toBytes())
                .toBytes();
    }
}
