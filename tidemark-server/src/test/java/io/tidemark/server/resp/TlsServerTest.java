package io.tidemark.server.resp;

import static io.tidemark.server.resp.ServerUnderTest.MIB;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.tidemark.server.resp.wire.Certificates;
import io.tidemark.server.resp.wire.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Redis protocol under TLS; the second server asks clients for a certificate as well. Listener 2 has the TLS. */
class TlsServerTest {
    @TempDir
    private static Path folder;

    private static TlsFiles own;
    private static TlsFiles clients;
    private static ServerUnderTest server;
    private static ServerUnderTest mutual;

    @BeforeAll
    static void start() throws Exception {
        own = Certificates.make(folder, "server", "RSA");
        clients = Certificates.make(folder, "client", "EC");
        server = started(own);
        mutual = started(new TlsFiles(own.certificate(), own.key(), Optional.of(clients.certificate())));
    }

    private static ServerUnderTest started(TlsFiles files) throws Exception {
        RespLimits limits = new RespLimits(MIB, OnFull.WAIT, 200, 8_000, 0, 100, 16 * MIB, MIB);
        return ServerUnderTest.with().limits(limits).tls(files).start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        mutual.close();
    }

    private static RedisURI uri(ServerUnderTest at) throws IOException {
        return RedisURI.builder()
                .withHost("localhost")
                .withPort(at.port(2))
                .withSsl(true)
                .withVerifyPeer(SslVerifyMode.FULL)
                .build();
    }

    private static RedisClient lettuce(ServerUnderTest at, SslOptions ssl) throws IOException {
        RedisClient client = RedisClient.create(uri(at));
        client.setOptions(
                io.lettuce.core.ClientOptions.builder().sslOptions(ssl).build());
        return client;
    }

    private static SslOptions trusting() {
        return SslOptions.builder()
                .trustManager(own.certificate().path().toFile())
                .build();
    }

    @Test
    void valuesOfAnySizeAreReadBackWithManyInFlight() throws Exception {
        try (RedisClient client = lettuce(server, trusting());
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            RedisAsyncCommands<byte[], byte[]> redis = connection.async();
            List<RedisFuture<byte[]>> gets = new ArrayList<>();
            List<RedisFuture<String>> sets = new ArrayList<>();
            List<byte[]> expected = new ArrayList<>();
            for (int i = 0; i < 210; i++) {
                int bytes = new int[] {0, 1, 100, 2_048, 16_384, 70_000, 300_000}[i % 7];
                byte[] key = ("tls" + i % 21).getBytes(UTF_8);
                byte[] value = RawClient.value("tls" + i % 21, bytes);
                sets.add(redis.set(key, value));
                gets.add(redis.get(key));
                expected.add(value);
            }
            for (int i = 0; i < gets.size(); i++) {
                assertThat(sets.get(i).get(30, TimeUnit.SECONDS)).isEqualTo("OK");
                assertThat(gets.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void redisCliSpeaksIt() throws Exception {
        RealClientsTest.requireProgram("redis-cli");
        String port = Integer.toString(server.port(2));
        String authority = own.certificate().path().toString();
        assertThat(RealClientsTest.run("redis-cli", "--tls", "--cacert", authority, "-p", port, "set", "c", "hello"))
                .isEqualTo("OK\n");
        assertThat(RealClientsTest.run("redis-cli", "--tls", "--cacert", authority, "-p", port, "get", "c"))
                .isEqualTo("hello\n");
    }

    @Test
    void withAClientAuthorityOnlyClientsWithACertificateAreServed() throws Exception {
        SslOptions shown = SslOptions.builder()
                .trustManager(own.certificate().path().toFile())
                .keyManager(
                        clients.certificate().path().toFile(),
                        clients.key().path().toFile(),
                        new char[0])
                .build();
        try (RedisClient client = lettuce(mutual, shown);
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            assertThat(connection.sync().ping()).isEqualTo("PONG");
        }
        try (RedisClient stranger = lettuce(mutual, trusting())) {
            assertThatThrownBy(() -> {
                        try (StatefulRedisConnection<String, String> connection = stranger.connect()) {
                            connection.sync().ping();
                        }
                    })
                    .isInstanceOf(io.lettuce.core.RedisException.class);
        }
    }

    @Test
    void aClientWithoutTlsIsClosedAndOthersGoOn() throws Exception {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port(2));
                SSLSocket other = tlsSocket()) {
            plain.getOutputStream().write("PING\r\n".getBytes(UTF_8));
            // an alert, or nothing, then the end; never a reply of the protocol
            assertThat(new String(plain.getInputStream().readAllBytes(), UTF_8)).doesNotContain("PONG");
            ping(other);
        }
    }

    @Test
    void aClientThatStopsWithinTheHandshakeIsClosed() throws Exception {
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port(2))) {
            silent.setSoTimeout(30_000);
            silent.getOutputStream().write(new byte[] {22, 3, 1});
            // an alert, then the end, long before the time-out of this socket
            assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(64);
        }
    }

    @Test
    void aPipelineThatIsWrittenBeforeAnyReplyIsReadIsServed() throws Exception {
        byte[] value = RawClient.value("deep", 4_096);
        try (RawClient local = server.client();
                SSLSocket socket = tlsSocket()) {
            local.set("deep", value);
            int count = 500;
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        socket.getOutputStream().write("GET deep\r\n".getBytes(UTF_8));
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            InputStream in = socket.getInputStream();
            for (int i = 0; i < count; i++) {
                assertThat(in.readNBytes(7)).asString(UTF_8).isEqualTo("$4096\r\n");
                assertThat(in.readNBytes(4_098)).startsWith(value);
            }
            writer.join();
        }
    }

    private static SSLSocket tlsSocket() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "server", Certificates.keys(folder.resolve("server.p12")).getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port(2));
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void ping(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("PING\r\n".getBytes(UTF_8));
        assertThat(socket.getInputStream().readNBytes(7)).asString(UTF_8).isEqualTo("+PONG\r\n");
    }
}
