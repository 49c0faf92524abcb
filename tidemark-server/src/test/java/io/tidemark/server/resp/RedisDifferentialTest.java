package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same commands to a real redis-server and to ours: the same replies, byte by byte. */
class RedisDifferentialTest {
    private static RedisProcess redis;
    private static ServerUnderTest server;

    @BeforeAll
    static void start() throws Exception {
        redis = RedisProcess.start();
        server = ServerUnderTest.started();
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
            redis.close();
        }
    }

    /** Everything that goes wrong, or right, the same way whatever is stored. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void answersTheSameToKnownCases(int version) throws Exception {
        List<String> cases = knownCommands();
        try (RawClient theirs = redis.client();
                RawClient ours = server.client()) {
            theirs.call("HELLO", Integer.toString(version));
            ours.call("HELLO", Integer.toString(version));
            for (String line : cases) {
                theirs.send(bytes(line + "\r\n"));
                ours.send(bytes(line + "\r\n"));
                assertThat(ours.reply()).as("RESP%d %s", version, line).isEqualTo(theirs.reply());
            }
        }
    }

    /** HELP lists what there is here, under the same first and last lines; every subcommand stands in it. */
    @ParameterizedTest
    @ValueSource(strings = {"CLIENT", "COMMAND", "CONFIG"})
    void helpHasTheFormOfRedis(String container) throws Exception {
        try (RawClient theirs = redis.client();
                RawClient ours = server.client()) {
            List<String> expected = theirs.call(container, "HELP").lines().toList();
            List<String> help = ours.call(container, "HELP").lines().toList();
            assertThat(help.getFirst()).isEqualTo("*" + (help.size() - 1));
            assertThat(help.get(1)).isEqualTo(expected.get(1));
            assertThat(help.get(help.size() - 2)).isEqualTo(expected.get(expected.size() - 2));
            assertThat(help.getLast()).startsWith("+    ");
            Set<String> shown = help.stream()
                    .skip(2)
                    .filter(line -> !line.startsWith("+    "))
                    .map(line -> line.substring(1).split(" ", 2)[0].toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            Set<String> known = Pattern.compile(container.toLowerCase(Locale.ROOT) + "\\|(\\w+)")
                    .matcher(ours.call("COMMAND", "INFO", container))
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toSet());
            assertThat(shown).isEqualTo(known);
        }
    }

    private static List<String> knownCommands() throws IOException {
        try (InputStream in = RedisDifferentialTest.class.getResourceAsStream("known-commands.txt")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), ISO_8859_1)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        }
    }

    /** Streams of random commands over few keys, so that every state meets every command. */
    @Test
    void answersTheSameToRandomCommands() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (RawClient theirs = redis.client();
                RawClient ours = server.client()) {
            assertThat(theirs.call("FLUSHALL")).isEqualTo(ours.call("FLUSHALL"));
            for (int i = 0; i < 20_000; i++) {
                byte[][] command = randomCommand(random);
                theirs.send(encode(command));
                ours.send(encode(command));
                String expected = theirs.reply();
                String reply = ours.reply();
                assertThat(reply.equals(expected) || (isTtl(command) && differByOne(reply, expected)))
                        .as("seed %d, command %d: %s: %s, not %s", seed, i, show(command), reply, expected)
                        .isTrue();
            }
        }
    }

    private static boolean isTtl(byte[][] command) {
        return command[0].length == 3 && command[0][0] == 'T';
    }

    /** Seconds are rounded, and the two servers were not asked at the same moment. */
    private static boolean differByOne(String reply, String expected) {
        long difference = Long.parseLong(reply.substring(1).trim())
                - Long.parseLong(expected.substring(1).trim());
        return Math.abs(difference) == 1;
    }

    private static String show(byte[][] command) {
        StringBuilder out = new StringBuilder();
        for (byte[] argument : command) {
            out.append(new String(argument, 0, Math.min(argument.length, 40), ISO_8859_1))
                    .append(' ');
        }
        return out.toString();
    }

    private static byte[][] randomCommand(Random random) {
        byte[] key = bytes("key" + random.nextInt(6));
        byte[] other = bytes("key" + random.nextInt(6));
        byte[] value = RawClient.value("v" + random.nextInt(3), random.nextInt(4) * random.nextInt(3_000));
        byte[] seconds = bytes(Integer.toString(1_000 * (1 + random.nextInt(3))));
        byte[] unequal = bytes(Integer.toString(4_000 + random.nextInt(1_000_000)));
        String[] conditions = {"NX", "XX", "GT", "LT"};
        byte[] condition = bytes(conditions[random.nextInt(4)]);
        return switch (random.nextInt(20)) {
            case 0, 1 -> new byte[][] {bytes("SET"), key, value};
            case 2 -> new byte[][] {bytes("SET"), key, value, bytes("EX"), seconds};
            case 3 -> new byte[][] {bytes("SET"), key, value, bytes(random.nextBoolean() ? "NX" : "XX")};
            case 4 -> new byte[][] {bytes("SET"), key, value, bytes("GET"), bytes("KEEPTTL")};
            case 5 -> new byte[][] {bytes("SETNX"), key, value};
            case 6 -> new byte[][] {bytes("SETEX"), key, seconds, value};
            case 7 -> new byte[][] {bytes("MSET"), key, value, other, bytes("w")};
            case 8 -> new byte[][] {bytes("MGET"), key, other, key};
            case 9 -> new byte[][] {bytes("DEL"), key, other};
            case 10 -> new byte[][] {bytes("EXISTS"), key, other};
            case 11 -> new byte[][] {bytes("STRLEN"), key};
            case 12 ->
                new byte[][] {
                    bytes("GETRANGE"),
                    key,
                    bytes("" + (random.nextInt(4_000) - 2_000)),
                    bytes("" + random.nextInt(4_000))
                };
            case 13 -> new byte[][] {bytes("TTL"), key};
            case 14 -> new byte[][] {bytes("EXPIRE"), key, seconds};
            case 15 -> new byte[][] {bytes("EXPIRE"), key, unequal, condition};
            case 16 -> new byte[][] {bytes("PERSIST"), key};
            case 17 -> new byte[][] {bytes("TYPE"), key};
            case 18 -> new byte[][] {bytes("DBSIZE")};
            default -> new byte[][] {bytes("GET"), key};
        };
    }
}
