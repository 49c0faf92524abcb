package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespReaderTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void readsEveryKindOfReplyHoweverTheBytesArrive(int step) throws IOException {
        RespReader reader =
                reader("+OK\r\n-OOM no space\r\n:42\r\n$3\r\na\r\n\r\n$-1\r\n*2\r\n:1\r\n*0\r\n$0\r\n\r\n", step);
        assertThat(reader.read()).isEqualTo(new Reply.Status("OK"));
        assertThat(reader.read()).isEqualTo(new Reply.Failure("OOM no space"));
        assertThat(reader.read()).isEqualTo(new Reply.Int(42));
        assertThat(reader.read()).isEqualTo(new Reply.Bulk("a\r\n"));
        assertThat(reader.read()).isEqualTo(new Reply.Nil());
        assertThat(reader.read()).isEqualTo(new Reply.Many(List.of(new Reply.Int(1), new Reply.Many(List.of()))));
        assertThat(reader.read()).isEqualTo(new Reply.Bulk(""));
        assertThatThrownBy(reader::read).isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 70_000, 1_000_000})
    void aValueLandsInTheSegmentAndTheStreamStaysInStep(int step) throws IOException {
        String value = "x".repeat(150_000);
        RespReader reader = reader("$150000\r\n" + value + "\r\n$5\r\nabcde\r\n$-1\r\n+OK\r\n", step);
        byte[] target = new byte[150_000];
        assertThat(reader.readValue(MemorySegment.ofArray(target))).isEqualTo(150_000);
        assertThat(new String(target, StandardCharsets.US_ASCII)).isEqualTo(value);
        byte[] shorter = new byte[2];
        assertThat(reader.readValue(MemorySegment.ofArray(shorter))).isEqualTo(5);
        assertThat(shorter).containsExactly('a', 'b');
        assertThat(reader.readValue(MemorySegment.ofArray(target))).isEqualTo(-1);
        assertThat(reader.read()).isEqualTo(new Reply.Status("OK"));
    }

    @Test
    void anErrorInPlaceOfAValueIsToldAndTheStreamStaysInStep() throws IOException {
        RespReader reader = reader("-NOAUTH log in\r\n+OK\r\n", 100);
        assertThatThrownBy(() -> reader.readValue(MemorySegment.ofArray(new byte[4])))
                .isInstanceOf(ServerRefusedException.class)
                .hasMessageContaining("-NOAUTH log in");
        assertThat(reader.read()).isEqualTo(new Reply.Status("OK"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"OK\r\n", ":x\r\n", "$99999999999\r\n", "*1048577\r\n", "+OK\n", "\r\n", ":\r\n"})
    void whatIsNoReplyIsRefused(String bytes) {
        assertThatThrownBy(() -> reader(bytes, 100).read()).isInstanceOf(ProtocolException.class);
    }

    @Test
    void endlessLinesAndNestingAreRefused() {
        assertThatThrownBy(() -> reader("+" + "x".repeat(200_000), 9999).read()).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> reader("*1\r\n".repeat(50), 9999).read()).isInstanceOf(ProtocolException.class);
    }

    private static RespReader reader(String bytes, int step) {
        ByteBuffer all = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII));
        return new RespReader(targets -> {
            if (!all.hasRemaining()) {
                throw new EOFException("end");
            }
            int left = step;
            for (ByteBuffer target : targets) {
                int count = Math.min(left, Math.min(target.remaining(), all.remaining()));
                target.put(all.slice(all.position(), count));
                all.position(all.position() + count);
                left -= count;
            }
        });
    }
}
