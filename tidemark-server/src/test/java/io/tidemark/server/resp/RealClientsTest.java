package io.tidemark.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that people use, as they are. */
class RealClientsTest {
    /** A client that has not ended by then hangs: most take a second, LMCache needs a minute or two to start on a busy machine. */
    private static final long CLIENT_SECONDS = 240;

    private static ServerUnderTest server;

    @BeforeAll
    static void start() throws Exception {
        server = ServerUnderTest.with()
                .listener(Compat.NONE, Optional.of("secret"))
                .listener(Compat.LMCACHE_RESP, Optional.empty())
                .start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ProtocolVersion.class,
            names = {"RESP2", "RESP3"})
    void lettuce(ProtocolVersion version) throws Exception {
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(server.port(2))
                .withPassword("secret".toCharArray())
                .withClientName("test")
                .build();
        try (RedisClient client = RedisClient.create(uri)) {
            client.setOptions(ClientOptions.builder().protocolVersion(version).build());
            try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
                useSynchronously(connection.sync());
                useWithManyInFlight(connection.async());
            }
        }
    }

    private static void useSynchronously(RedisCommands<byte[], byte[]> redis) {
        byte[] key = "lettuce".getBytes(UTF_8);
        byte[] value = RawClient.value("lettuce", 3 << 20);
        assertThat(redis.set(key, value)).isEqualTo("OK");
        assertThat(redis.get(key)).isEqualTo(value);
        assertThat(redis.exists(key)).isEqualTo(1);
        assertThat(redis.set(key, value, SetArgs.Builder.nx())).isNull();
        assertThat(redis.expire(key, 100)).isTrue();
        assertThat(redis.ttl(key)).isBetween(99L, 100L);
        assertThat(redis.getrange(key, 1, 2)).containsExactly(value[1], value[2]);
        redis.mset(Map.of("m1".getBytes(UTF_8), new byte[0]));
        List<KeyValue<byte[], byte[]>> values = redis.mget("m1".getBytes(UTF_8), "none".getBytes(UTF_8));
        assertThat(values.getFirst().getValue()).isEmpty();
        assertThat(values.getLast().hasValue()).isFalse();
        assertThat(redis.scan().getKeys()).isNotEmpty();
        assertThat(redis.info("server")).contains("tidemark_version");
        assertThat(redis.clientList()).contains("name=test");
        assertThat(redis.configGet("maxmemory")).containsEntry("maxmemory", Long.toString(64L << 20));
        assertThat(redis.configGet("maxmemory-policy")).containsEntry("maxmemory-policy", "allkeys-lfu");
        assertThat(redis.commandCount()).isGreaterThan(30);
        assertThat(redis.del(key)).isEqualTo(1);
        assertThat(redis.get(key)).isNull();
    }

    private static void useWithManyInFlight(RedisAsyncCommands<byte[], byte[]> redis) throws Exception {
        List<RedisFuture<byte[]>> gets = new ArrayList<>();
        List<RedisFuture<String>> sets = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] key = ("async" + i % 50).getBytes(UTF_8);
            sets.add(redis.set(key, RawClient.value("async" + i % 50, 5_000)));
            gets.add(redis.get(key));
        }
        for (int i = 0; i < gets.size(); i++) {
            assertThat(sets.get(i).get(10, TimeUnit.SECONDS)).isEqualTo("OK");
            assertThat(gets.get(i).get(10, TimeUnit.SECONDS)).isEqualTo(RawClient.value("async" + i % 50, 5_000));
        }
    }

    @Test
    void redisCli() throws Exception {
        requireProgram("redis-cli");
        assertThat(run("redis-cli", "-s", socket(), "set", "cli", "hello")).isEqualTo("OK\n");
        assertThat(run("redis-cli", "-3", "-s", socket(), "get", "cli")).isEqualTo("hello\n");
        assertThat(run("redis-cli", "-s", socket(), "get", "none")).isEqualTo("\n");
        assertThat(run("redis-cli", "-s", socket(), "--scan", "--pattern", "cli*"))
                .isEqualTo("cli\n");
        assertThat(run(
                        "redis-cli",
                        "-p",
                        Integer.toString(server.port(2)),
                        "--no-auth-warning",
                        "-a",
                        "secret",
                        "ping"))
                .isEqualTo("PONG\n");
        assertThat(run("redis-cli", "-s", socket(), "info", "stats")).contains("keyspace_hits:");
        assertThat(run("redis-cli", "-s", socket(), "help", "@tidemark"))
                .contains("TM.PUT", "TM.EVICT", "TM.GETRANGES");
        assertThat(run("redis-cli", "-s", socket(), "help", "@string"))
                .contains("MGET")
                .doesNotContain("TM.");
        assertThat(run("redis-cli", "-s", socket(), "help", "@nosuch")).doesNotContain("summary");
        assertThat(run("redis-cli", "-s", socket(), "help", "set")).contains("Sets the value", "group:", " string");
        assertThat(run("redis-cli", "-s", socket(), "help", "config")).contains("CONFIG GET", " server");
    }

    @Test
    void redisBenchmark() throws Exception {
        requireProgram("redis-benchmark");
        String out = run(
                "redis-benchmark",
                "-s",
                socket(),
                "-t",
                "ping,set,get,mset",
                "-n",
                "2000",
                "-c",
                "8",
                "-P",
                "4",
                "-d",
                "4096",
                "-r",
                "100",
                "-q");
        assertThat(out).contains("SET:", "GET:", "MSET").doesNotContain("ERR", "rror");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void redisPy(int version) throws Exception {
        requireProgram("python3");
        Assumptions.assumeTrue(
                runs("python3", "-c", "import redis"),
                "the Python package `redis` is not installed (pip install redis)");
        String script = """
            import os, sys, redis
            r = redis.Redis(unix_socket_path=sys.argv[1], protocol=int(sys.argv[2]), client_name="py")
            v = os.urandom(2_500_000)
            assert r.set("py", v, ex=100)
            assert r.get("py") == v
            assert r.exists("py") == 1 and 98 < r.ttl("py") <= 100
            assert r.set("py", b"x", nx=True) is None
            assert r.get("nothing") is None
            with r.pipeline(transaction=False) as p:
                for i in range(500):
                    p.set(f"p{i}", b"%d" % i)
                    p.get(f"p{i}")
                out = p.execute()
            assert out[1::2] == [b"%d" % i for i in range(500)]
            r.set("4k", v[:4096])
            with r.pipeline(transaction=False) as p:
                for i in range(10_000):
                    p.get("4k")
                assert p.execute() == [v[:4096]] * 10_000
            assert r.mget("p1", "nothing", "p2") == [b"1", None, b"2"]
            assert len(list(r.scan_iter("p*", count=50))) >= 500
            assert r.info("memory")["maxmemory"] == 64 << 20
            assert r.delete("py", "nothing") == 1
            assert r.client_getname() in ("py", b"py")
            print("ok")
            """;
        assertThat(run("python3", "-c", script, socket(), Integer.toString(version)))
                .isEqualTo("ok\n");
    }

    /** All of LMCache's clients that speak Redis, in one process: it takes long to start. */
    @Test
    void lmcache() throws Exception {
        String python =
                Optional.ofNullable(System.getenv("TIDEMARK_TEST_PYTHON")).orElse("python3");
        requireProgram(python);
        String found =
                "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ('lmcache', 'torch', 'redis'))))";
        Assumptions.assumeTrue(
                runs(python, "-c", found),
                "the Python package `lmcache` is not installed for " + python + " (docs/redis.md says how)");
        Path script = Files.createTempFile("lmcache", ".py");
        try (InputStream source = RealClientsTest.class.getResourceAsStream("lmcache_check.py")) {
            Files.write(script, Objects.requireNonNull(source).readAllBytes());
            String out = run(python, script.toString(), port(0), port(3));
            assertThat(out).contains("ok RedisConnector", "ok RESPConnector", "ok NativeConnectorL2Adapter");
        } finally {
            Files.delete(script);
        }
    }

    private static String port(int listener) throws IOException {
        return Integer.toString(server.port(listener));
    }

    private static String socket() {
        return server.socket().toString();
    }

    static void requireProgram(String name) {
        Assumptions.assumeTrue(RedisProcess.installed(name), name + " is not installed");
    }

    private static boolean runs(String... command) throws Exception {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    static String run(String... command) throws Exception {
        Path output = Files.createTempFile("client", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(CLIENT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            String out = Files.readString(output);
            assertThat(ended).as("%s has not ended: %s", command[0], out).isTrue();
            assertThat(process.exitValue()).as("%s: %s", command[0], out).isZero();
            return out;
        } finally {
            Files.delete(output);
        }
    }
}
