package io.tidemark.bench.resp;

import java.nio.ByteBuffer;

/**
 * What every exchange of a connection looks like in bytes.
 *
 * @param put whether values go to the server
 * @param batch values an exchange
 * @param requestBytes put: bytes of the command before each value; get: bytes of all commands of an exchange
 */
record Shape(boolean put, int batch, int requestBytes, int valueBytes) {
    /** Length of the command that says a shape: one argument of {@value #ARGUMENT_BYTES} bytes. */
    static final int COMMAND_BYTES = "*1\r\n$16\r\n".length() + 16 + 2;

    private static final int ARGUMENT_BYTES = 16;

    /** Reads the command that says it. */
    static Shape from(ByteBuffer command) {
        ByteBuffer argument = command.slice(COMMAND_BYTES - 2 - ARGUMENT_BYTES, ARGUMENT_BYTES);
        return new Shape(argument.getInt() == 1, argument.getInt(), argument.getInt(), argument.getInt());
    }

    /** The argument of that command. */
    byte[] argument() {
        return ByteBuffer.allocate(ARGUMENT_BYTES)
                .putInt(put ? 1 : 0)
                .putInt(batch)
                .putInt(requestBytes)
                .putInt(valueBytes)
                .array();
    }
}
