package io.tidemark.server.volume;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the few MessagePack types that delete events are made of, integers in their shortest form. */
final class MessagePack {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @CanIgnoreReturnValue
    MessagePack array(int length) {
        if (length < 16) {
            out.write(0x90 | length);
        } else if (length < 1 << 16) {
            number(0xdc, Short.BYTES, length);
        } else {
            number(0xdd, Integer.BYTES, length);
        }
        return this;
    }

    /** An unsigned integer of 64 bits. */
    @CanIgnoreReturnValue
    MessagePack unsigned(long value) {
        if (value >= 0 && value < 128) {
            out.write((int) value);
        } else if (value >= 0 && value < 1 << 8) {
            number(0xcc, Byte.BYTES, value);
        } else if (value >= 0 && value < 1 << 16) {
            number(0xcd, Short.BYTES, value);
        } else if (value >= 0 && value < 1L << 32) {
            number(0xce, Integer.BYTES, value);
        } else {
            number(0xcf, Long.BYTES, value);
        }
        return this;
    }

    @CanIgnoreReturnValue
    MessagePack float64(double value) {
        number(0xcb, Long.BYTES, Double.doubleToLongBits(value));
        return this;
    }

    /** A string of less than 256 bytes of UTF-8. */
    @CanIgnoreReturnValue
    MessagePack string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < 32) {
            out.write(0xa0 | bytes.length);
        } else {
            number(0xd9, Byte.BYTES, bytes.length);
        }
        out.writeBytes(bytes);
        return this;
    }

    @CanIgnoreReturnValue
    MessagePack binary(byte[] bytes) {
        if (bytes.length < 1 << 8) {
            number(0xc4, Byte.BYTES, bytes.length);
        } else if (bytes.length < 1 << 16) {
            number(0xc5, Short.BYTES, bytes.length);
        } else {
            number(0xc6, Integer.BYTES, bytes.length);
        }
        out.writeBytes(bytes);
        return this;
    }

    private void number(int type, int bytes, long value) {
        out.write(type);
        out.write(ByteBuffer.allocate(Long.BYTES).putLong(value).array(), Long.BYTES - bytes, bytes);
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
