package io.tidemark.server.replay;

import java.util.List;

/** One reply of a server, RESP2. */
public sealed interface Reply {
    /** {@code +text}. */
    record Status(String text) implements Reply {}

    /** {@code -text}: the server refused the command. */
    record Failure(String text) implements Reply {
        /** The first word, by which errors are told apart ({@code OOM}, {@code NOAUTH}, {@code ERR}). */
        public String code() {
            int end = text.indexOf(' ');
            return end < 0 ? text : text.substring(0, end);
        }
    }

    /** {@code :number}. */
    record Int(long value) implements Reply {}

    /** {@code $length} with its bytes, as UTF-8. Values of blocks are read with {@link RespConnection#readValue}. */
    record Bulk(String text) implements Reply {}

    /** {@code $-1} or {@code *-1}: no such value. */
    record Nil() implements Reply {}

    /** {@code *count} with its elements. */
    record Many(List<Reply> elements) implements Reply {
        public Many {
            elements = List.copyOf(elements);
        }
    }
}
