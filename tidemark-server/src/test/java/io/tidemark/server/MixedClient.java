package io.tidemark.server;

import io.tidemark.server.KeyHistory.Value;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import io.tidemark.server.replay.ServerRefusedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The only client of its keys: sends random commands, some in pipelines, and holds every reply against what the keys may
 * hold. Lives through several servers; used by one thread at a time.
 */
final class MixedClient {
    private static final int PLAIN = 60;
    private static final int PAIRS = 20;
    private static final int MAX_BYTES = 2 << 20;
    private static final long ANSWER_MILLIS = 30_000;
    private static final int PIPELINE = 4;
    private static final int TRIES = 20;

    /** A command: sent, and its reply read later. */
    private interface Step {
        void send(RespConnection to) throws IOException;

        void answer(RespConnection from) throws IOException;
    }

    /** What is done with the reply of a command that changes something. */
    private interface Judge {
        void see(Reply reply);
    }

    private final String name;
    private final Random random;
    private final List<KeyHistory> plain = new ArrayList<>();
    private final List<KeyHistory> pairs = new ArrayList<>();
    /** Keys written once and left alone, and since when TM.WHERE has shown them on SSD. */
    private final List<KeyHistory> quiet = new ArrayList<>();

    private final Map<KeyHistory, Long> onSsdSince = new HashMap<>();
    private final byte[] buffer = new byte[MAX_BYTES + 1];
    private long versions = 0;
    long commands = 0;
    long hits = 0;
    private long refusals = 0;
    long promised = 0;
    long served = 0;

    MixedClient(String name, Random random, int quietKeys) {
        this.name = name;
        this.random = random;
        for (int i = 0; i < PLAIN; i++) {
            plain.add(new KeyHistory(name + "-" + i));
        }
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(new KeyHistory("model@1@0@" + name + i + "@half" + "kv_bytes"));
            pairs.add(new KeyHistory("model@1@0@" + name + i + "@half" + "metadata"));
        }
        for (int i = 0; i < quietKeys; i++) {
            quiet.add(new KeyHistory(name + "-quiet-" + i));
        }
    }

    /** Reads every key, then mixes commands until the server is gone. */
    void run(Endpoint server) throws IOException {
        try (RespConnection connection = RespConnection.open(server, 3 * MAX_BYTES, ANSWER_MILLIS)) {
            for (KeyHistory key : Stream.concat(plain.stream(), pairs.stream()).toList()) {
                run(connection, List.of(get(key)));
            }
            layDown(connection);
            while (true) {
                List<Step> steps = new ArrayList<>();
                int count = random.nextBoolean() ? 1 : 1 + random.nextInt(PIPELINE);
                for (int i = 0; i < count; i++) {
                    steps.add(step(count == 1));
                }
                run(connection, steps);
            }
        }
    }

    /** The server was killed; only what was on SSD a second before counts as promised. */
    void killed(long killNanos, long nowMillis) {
        Stream.of(plain, pairs, quiet).flatMap(List::stream).forEach(key -> key.killed(nowMillis));
        onSsdSince.values().removeIf(since -> killNanos - since < 1_000_000_000L);
    }

    /** Reads what was promised; then writes all of it anew, so that no read takes it up again, and sends it down. */
    private void layDown(RespConnection connection) throws IOException {
        for (KeyHistory key : quiet) {
            long before = hits;
            readOnceOrMore(connection, key);
            // a kill in the middle of this must not leave the promise of the value that is about to be replaced
            if (onSsdSince.remove(key) != null) {
                promised++;
                served += hits - before;
            }
            run(connection, List.of(set(key, 40_000 + random.nextInt(50_000)), evict(key)));
        }
    }

    /** A refusal is no miss: a busy device is asked again. */
    private void readOnceOrMore(RespConnection connection, KeyHistory key) throws IOException {
        long before = -1;
        for (int tries = 0; tries < TRIES && before != refusals; tries++) {
            before = refusals;
            run(connection, List.of(get(key)));
        }
    }

    private void run(RespConnection connection, List<Step> steps) throws IOException {
        for (Step step : steps) {
            step.send(connection);
        }
        connection.flush();
        for (Step step : steps) {
            step.answer(connection);
            commands++;
        }
    }

    private KeyHistory anyPlain() {
        return plain.get(random.nextInt(plain.size()));
    }

    private KeyHistory any() {
        return random.nextInt(3) == 0 ? pairs.get(random.nextInt(pairs.size())) : anyPlain();
    }

    private int anyBytes() {
        return switch (random.nextInt(10)) {
            case 0 -> random.nextInt(16);
            case 1, 2, 3 -> random.nextInt(9_000);
            case 9 -> 1 + random.nextInt(MAX_BYTES);
            default -> 50_000 + random.nextInt(30_000);
        };
    }

    /** @param alone whether nothing else is in the pipeline, so that what the key holds is known */
    private Step step(boolean alone) {
        return switch (random.nextInt(24)) {
            case 0, 1, 2, 3 -> set(any(), anyBytes());
            case 4 -> setEx(anyPlain(), anyBytes());
            case 5, 6, 7 -> get(any());
            case 8, 9 -> range(any());
            case 10, 11, 12 -> delete(any());
            case 13 -> discard(anyPlain());
            case 14, 15 -> setIfAbsent(anyPlain());
            case 16 -> setMany();
            case 17, 18 -> evict(any());
            case 19 -> alone ? expire(anyPlain()) : get(any());
            case 20 -> alone ? setAgain(anyPlain()) : evict(any());
            default -> quiet.isEmpty() ? get(any()) : where(quiet.get(random.nextInt(quiet.size())));
        };
    }

    private Value newValue(int bytes) {
        return new Value(++versions, bytes, 0, 0);
    }

    private Step set(KeyHistory key, int bytes) {
        Value value = newValue(bytes);
        return change(List.of(key), value, reply -> key.answered(stored(reply)), "SET", key.name, value);
    }

    private Step setAgain(KeyHistory key) {
        if (!key.known()) {
            return get(key);
        }
        Value value = key.possible().getFirst().endingAt(0, 0);
        return change(List.of(key), value, reply -> key.answered(stored(reply)), "SET", key.name, value);
    }

    private Step setEx(KeyHistory key, int bytes) {
        long ttl = 50L + random.nextInt(800);
        Value value = newValue(bytes);
        return change(
                List.of(key),
                value,
                reply -> {
                    if (stored(reply)) {
                        key.answered(value.endingAt(endAfter(ttl), 0));
                    } else {
                        key.answered(false);
                    }
                },
                "PSETEX",
                key.name,
                Long.toString(ttl),
                value);
    }

    /** The clock shows milliseconds that have begun. */
    private static long endAfter(long ttlMillis) {
        return System.currentTimeMillis() + 1 + ttlMillis;
    }

    private Step setIfAbsent(KeyHistory key) {
        Value value = newValue(anyBytes());
        return change(
                List.of(key),
                value,
                reply -> {
                    boolean done = reply.equals(new Reply.Int(1));
                    if (key.gone() && reply.equals(new Reply.Int(0))) {
                        throw wrong(key, "SETNX found a value");
                    }
                    key.answered(done);
                },
                "SETNX",
                key.name,
                value);
    }

    private Step setMany() {
        KeyHistory first = anyPlain();
        KeyHistory second = anyPlain();
        if (first == second) {
            return get(first);
        }
        Value one = newValue(anyBytes());
        Value two = newValue(random.nextInt(70_000));
        first.sent(one);
        second.sent(two);
        return sending(
                reply -> {
                    boolean done = stored(reply);
                    first.answered(done);
                    second.answered(done);
                },
                "MSET",
                first.name,
                first.bytes(one),
                second.name,
                second.bytes(two));
    }

    private Step delete(KeyHistory key) {
        return remove(key, "DEL", key.name);
    }

    private Step discard(KeyHistory key) {
        return remove(key, "TM.EVICT", key.name, "DISCARD");
    }

    private Step remove(KeyHistory key, Object... command) {
        List<KeyHistory> taken = withSibling(key);
        return change(
                taken,
                Value.ABSENT,
                reply -> taken.forEach(one -> one.answered(one == key || !reply.equals(new Reply.Int(0)))),
                command);
    }

    /** The parts of an LMCache pair go together, if the one that is named was there. */
    private List<KeyHistory> withSibling(KeyHistory key) {
        int index = pairs.indexOf(key);
        return index < 0 ? List.of(key) : List.of(key, pairs.get(index ^ 1));
    }

    private Step expire(KeyHistory key) {
        if (!key.known()) {
            return get(key);
        }
        long ttl = 50L + random.nextInt(800);
        Value value = key.possible().getFirst();
        return change(
                List.of(key),
                value,
                reply -> {
                    long now = System.currentTimeMillis();
                    key.answered(reply.equals(new Reply.Int(1)) ? value.endingAt(endAfter(ttl), now) : value);
                },
                "PEXPIRE",
                key.name,
                Long.toString(ttl));
    }

    private Step evict(KeyHistory key) {
        return sending(_ -> {}, "TM.EVICT", key.name);
    }

    private Step where(KeyHistory key) {
        return sending(
                reply -> {
                    if (reply.toString().contains("ssd")) {
                        onSsdSince.putIfAbsent(key, System.nanoTime());
                    } else {
                        onSsdSince.remove(key);
                    }
                },
                "TM.WHERE",
                key.name);
    }

    private Step change(List<KeyHistory> keys, Value value, Judge judge, Object... command) {
        keys.forEach(key -> key.sent(value));
        KeyHistory first = keys.getFirst();
        Object[] encoded = Arrays.stream(command)
                .map(part -> part instanceof Value held ? first.bytes(held) : part)
                .toArray();
        return sending(judge, encoded);
    }

    private static Step sending(Judge judge, Object... command) {
        return new Step() {
            @Override
            public void send(RespConnection to) throws IOException {
                MixedClient.send(to, command);
            }

            @Override
            public void answer(RespConnection from) throws IOException {
                judge.see(from.read());
            }
        };
    }

    private static void send(RespConnection to, Object... command) throws IOException {
        to.command(command.length);
        for (Object part : command) {
            to.argument(part instanceof byte[] bytes ? bytes : part.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static boolean stored(Reply reply) {
        return reply.equals(new Reply.Status("OK"));
    }

    private Step get(KeyHistory key) {
        return reading(key, 0, Integer.MAX_VALUE, "GET", key.name);
    }

    private Step range(KeyHistory key) {
        int from = random.nextInt(70_000);
        int to = from + random.nextInt(70_000);
        return reading(key, from, to, "GETRANGE", key.name, Integer.toString(from), Integer.toString(to));
    }

    private Step reading(KeyHistory key, int from, int to, Object... command) {
        return new Step() {
            private long sentMillis = 0;

            @Override
            public void send(RespConnection connection) throws IOException {
                sentMillis = System.currentTimeMillis();
                MixedClient.send(connection, command);
            }

            @Override
            public void answer(RespConnection connection) throws IOException {
                try {
                    long length = connection.readValue(MemorySegment.ofArray(buffer));
                    if (length > 0 || (length == 0 && from == 0)) {
                        seen(key, from, to, (int) length, sentMillis);
                    }
                } catch (ServerRefusedException e) {
                    if (!String.valueOf(e.getMessage()).contains("TRYAGAIN")) {
                        throw e;
                    }
                    refusals++;
                }
            }
        };
    }

    /** A read answered the first {@code length} bytes of the buffer: they have to be those of a value that may be there. */
    private void seen(KeyHistory key, int from, int to, int length, long sentMillis) {
        for (Value value : key.possible()) {
            long end = Math.min(value.bytes(), (long) to + 1);
            boolean fits = !value.absent() && !value.overAt(sentMillis) && length == Math.max(0, end - from);
            if (fits && Arrays.equals(key.bytes(value), from, from + length, buffer, 0, length)) {
                hits++;
                key.found(value);
                return;
            }
        }
        if (length > 0 || !key.gone()) {
            throw wrong(key, "a read found " + length + " bytes: " + identified(key, from, length));
        }
    }

    /** Which older value of the key the bytes are, for the message. */
    private String identified(KeyHistory key, int from, int length) {
        byte[] whole = new byte[0];
        for (long version = versions; version > 0; version--) {
            whole = key.bytes(new Value(version, from + length, 0, 0));
            if (Arrays.equals(whole, from, from + length, buffer, 0, length)) {
                return "version " + version;
            }
        }
        return "no value of this key";
    }

    private AssertionError wrong(KeyHistory key, String what) {
        return new AssertionError(name + ": " + key.name + ": " + what + "; possible was " + key.possible() + " at "
                + System.currentTimeMillis());
    }
}
