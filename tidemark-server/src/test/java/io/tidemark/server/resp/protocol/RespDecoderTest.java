package io.tidemark.server.resp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.resp.protocol.RespDecoder.Event;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RespDecoderTest {
    /** Collects what a decoder tells about input that comes in pieces. */
    private static final class Reader {
        private final RespDecoder decoder;
        private final List<String> commands = new ArrayList<>();
        private List<byte[]> arguments = new ArrayList<>();

        Reader(DecoderLimits limits) {
            decoder = new RespDecoder(limits);
        }

        Event feed(byte[] bytes, int from, int to) {
            ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
            while (true) {
                Event event = decoder.next(in);
                switch (event) {
                    case ARGUMENT -> {
                        byte[] target = new byte[(int) Math.min(decoder.argumentBytes(), 1 << 20)];
                        arguments.add(target);
                        decoder.fill(
                                target.length == decoder.argumentBytes()
                                        ? Body.into(target)
                                        : Body.discard(decoder.argumentBytes()));
                    }
                    case COMMAND -> {
                        assertThat(arguments).hasSize(decoder.argumentCount());
                        commands.add(String.join(
                                "|",
                                arguments.stream()
                                        .map(a -> new String(a, ISO_8859_1))
                                        .toList()));
                        arguments = new ArrayList<>();
                    }
                    case NEED_INPUT, PROTOCOL_ERROR -> {
                        assertThat(event == Event.PROTOCOL_ERROR || !in.hasRemaining())
                                .as("NEED_INPUT uses everything up")
                                .isTrue();
                        return event;
                    }
                }
            }
        }

        List<String> all(String text) {
            byte[] bytes = text.getBytes(ISO_8859_1);
            feed(bytes, 0, bytes.length);
            return commands;
        }
    }

    private static final String STREAM = String.join(
                    "\r\n",
                    List.of(
                            "*3",
                            "$3",
                            "SET",
                            "$1",
                            "k",
                            "$5",
                            "ab\r\nc",
                            "PING",
                            "*1",
                            "$4",
                            "PING",
                            "set \"a b\" 'c d'"))
            + "\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n*0\r\n\r\n*2\r\n$4\r\nECHO\r\n$2\r\n\r\n\r\n";
    private static final List<String> COMMANDS =
            List.of("SET|k|ab\r\nc", "PING", "PING", "set|a b|c d", "GET|", "ECHO|\r\n");

    @Test
    void readsArraysAndInlineCommandsFromOneStream() {
        assertThat(new Reader(DecoderLimits.AUTHENTICATED).all(STREAM)).isEqualTo(COMMANDS);
    }

    @Test
    void readsTheSameFromEveryPairOfPieces() {
        byte[] bytes = STREAM.getBytes(ISO_8859_1);
        for (int first = 0; first <= bytes.length; first++) {
            for (int second = first; second <= bytes.length; second += 7) {
                Reader reader = new Reader(DecoderLimits.AUTHENTICATED);
                reader.feed(bytes, 0, first);
                reader.feed(bytes, first, second);
                reader.feed(bytes, second, bytes.length);
                assertThat(reader.commands)
                        .as("cut at %d and %d", first, second)
                        .isEqualTo(COMMANDS);
            }
        }
    }

    @Test
    void readsTheSameByteByByte() {
        byte[] bytes = STREAM.getBytes(ISO_8859_1);
        Reader reader = new Reader(DecoderLimits.AUTHENTICATED);
        for (int i = 0; i < bytes.length; i++) {
            reader.feed(bytes, i, i + 1);
        }
        assertThat(reader.commands).isEqualTo(COMMANDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "*x\\r\\n;Protocol error: invalid multibulk length",
                "*1048577\\r\\n;Protocol error: invalid multibulk length",
                "*99999999999999999999\\r\\n;Protocol error: invalid multibulk length",
                "*1\\n$4\\r\\n;Protocol error: invalid multibulk length",
                "*1\\r\\n+PING\\r\\n;Protocol error: expected '$', got '+'",
                "*1\\r\\n$-1\\r\\n;Protocol error: invalid bulk length",
                "*1\\r\\n$536870913\\r\\n;Protocol error: invalid bulk length",
                "*1\\r\\n$04\\r\\nPING\\r\\n;Protocol error: invalid bulk length",
                "*1\\r\\n$4\\r\\nPINGxx;Protocol error: expected CRLF after a bulk string, got 'x'",
                "*1234567890123456789012345678901234567890;Protocol error: too big mbulk count string",
                "*1\\r\\n$234567890123456789012345678901234567890;Protocol error: too big bulk count string",
                "'get \"a\\r\\n';Protocol error: unbalanced quotes in request",
                "'get \"a\"b\\r\\n';Protocol error: unbalanced quotes in request"
            })
    void tellsWhatIsWrongInRedisWords(String input, String error) {
        Reader reader = new Reader(DecoderLimits.AUTHENTICATED);
        byte[] bytes = input.replace("\\r", "\r").replace("\\n", "\n").getBytes(ISO_8859_1);
        assertThat(reader.feed(bytes, 0, bytes.length)).isEqualTo(Event.PROTOCOL_ERROR);
        assertThat(reader.decoder.error()).isEqualTo(error);
        assertThat(reader.feed(bytes, 0, bytes.length)).isEqualTo(Event.PROTOCOL_ERROR);
    }

    @Test
    void boundsClientsThatAreNotLetInYet() {
        Reader many = new Reader(DecoderLimits.UNAUTHENTICATED);
        many.all("*11\r\n");
        assertThat(many.decoder.error()).isEqualTo("Protocol error: unauthenticated multibulk length");
        Reader large = new Reader(DecoderLimits.UNAUTHENTICATED);
        large.all("*1\r\n$16385\r\n");
        assertThat(large.decoder.error()).isEqualTo("Protocol error: unauthenticated bulk length");
    }

    @Test
    void boundsAnInlineLine() {
        Reader reader = new Reader(DecoderLimits.AUTHENTICATED);
        reader.all("x".repeat(4_096));
        assertThat(reader.decoder.error()).isEmpty();
        reader.all("x");
        assertThat(reader.decoder.error()).isEqualTo("Protocol error: too big inline request");
    }

    @Test
    void takesEscapesInsideQuotes() {
        assertThat(new Reader(DecoderLimits.AUTHENTICATED).all("\"\\x41\\n\\\"\\q\\xz\" 'it\\'s' a\"b\"\r\n"))
                .containsExactly("A\n\"qxz|it's|ab");
    }

    @Test
    void skipsCommandsWithoutArguments() {
        assertThat(new Reader(DecoderLimits.AUTHENTICATED).all("*-1\r\n*0\r\n\r\n   \r\nPING\r\n"))
                .containsExactly("PING");
    }

    @Test
    void keepsTheStreamInStepWhenAnArgumentIsReadPast() {
        Reader reader = new Reader(DecoderLimits.AUTHENTICATED);
        reader.all("*1\r\n$2000000\r\n" + "x".repeat(2_000_000) + "\r\nPING\r\n");
        assertThat(reader.commands.getLast()).isEqualTo("PING");
    }

    @Test
    void refusesToGoOnWithoutAPlaceForTheArgument() {
        RespDecoder decoder = new RespDecoder(DecoderLimits.AUTHENTICATED);
        ByteBuffer in = ByteBuffer.wrap("*1\r\n$1\r\n".getBytes(ISO_8859_1));
        assertThat(decoder.next(in)).isEqualTo(Event.ARGUMENT);
        assertThatThrownBy(() -> decoder.next(in)).isInstanceOf(IllegalStateException.class);
        decoder.fill(Body.discard(1));
        assertThatThrownBy(() -> decoder.fill(Body.discard(1))).isInstanceOf(IllegalStateException.class);
    }

    /** Any bytes, cut anywhere: no exception, and the same commands and error as in one piece. */
    @Test
    void neverThrowsAndNeverDependsOnWhereInputIsCut() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = random.nextInt(4) == 0 ? noise(random) : mutated(random);
            Reader whole = new Reader(DecoderLimits.AUTHENTICATED);
            Event event = whole.feed(bytes, 0, bytes.length);
            Reader cut = new Reader(DecoderLimits.AUTHENTICATED);
            Event last = Event.NEED_INPUT;
            for (int at = 0; at < bytes.length; ) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(9));
                last = cut.feed(bytes, at, end);
                at = end;
            }
            assertThat(cut.commands)
                    .as("seed %d round %d: %s", seed, round, new String(bytes, ISO_8859_1))
                    .isEqualTo(whole.commands);
            assertThat(last).isEqualTo(event);
            assertThat(cut.decoder.error()).isEqualTo(whole.decoder.error());
        }
    }

    private static byte[] noise(Random random) {
        String alphabet = "*$0123456789-\r\n\r\n\"'\\ xSETG";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i >= 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    private static byte[] mutated(Random random) {
        byte[] bytes = STREAM.getBytes(ISO_8859_1);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes = Arrays.copyOf(bytes, at + 1);
                default -> bytes[at] = bytes[random.nextInt(bytes.length)];
            }
        }
        return bytes;
    }
}
