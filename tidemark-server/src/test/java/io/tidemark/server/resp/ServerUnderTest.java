package io.tidemark.server.resp;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PoolLimits;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real server over a real pool of one DRAM tier: listener 0 on TCP, listener 1 on a Unix socket. */
final class ServerUnderTest implements AutoCloseable {
    static final long MIB = 1 << 20;

    private final Path directory;
    private final Pool pool;
    private final RespServer server;

    private ServerUnderTest(Path directory, Pool pool, RespServer server) {
        this.directory = directory;
        this.pool = pool;
        this.server = server;
    }

    /** What a test may set; everything else is as in production. */
    static final class Builder {
        private long capacityBytes = 64 * MIB;
        private RespLimits limits = RespLimits.DEFAULT;
        private PoolLimits poolLimits = PoolLimits.DEFAULT;
        private final List<RespListener> more = new ArrayList<>();

        Builder capacity(long bytes) {
            capacityBytes = bytes;
            return this;
        }

        Builder limits(RespLimits value) {
            limits = value;
            return this;
        }

        Builder poolLimits(PoolLimits value) {
            poolLimits = value;
            return this;
        }

        /** Adds a listener on a free port of loopback; the first has index 2. */
        Builder listener(Compat compat, Optional<String> password) {
            more.add(new RespListener(new ListenAddress.Tcp("127.0.0.1", 0), compat, password));
            return this;
        }

        ServerUnderTest start() throws Exception {
            Path directory = Files.createTempDirectory("tidemark-resp");
            List<RespListener> listeners = new ArrayList<>();
            listeners.add(RespListener.of(new ListenAddress.Tcp("127.0.0.1", 0)));
            listeners.add(RespListener.of(new ListenAddress.UnixSocket(directory.resolve("redis.sock"))));
            listeners.addAll(more);
            DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", capacityBytes));
            dram.copies().trackOrder("lru");
            Pool pool = Pool.open(PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1)))
                    .with(poolLimits));
            RespServer server = RespServer.start(pool, new RespOptions(listeners, limits, 2, "0.0.0-test"));
            return new ServerUnderTest(directory, pool, server);
        }
    }

    static Builder with() {
        return new Builder();
    }

    /** A server with defaults and 64 MiB. */
    static ServerUnderTest started() throws Exception {
        return with().start();
    }

    Pool pool() {
        return pool;
    }

    RespServer server() {
        return server;
    }

    int port(int listener) throws IOException {
        return server.port(listener).orElseThrow();
    }

    Path socket() {
        return directory.resolve("redis.sock");
    }

    /** A client on the Unix socket. */
    RawClient client() throws IOException {
        return RawClient.unix(socket());
    }

    /** A client on the TCP port of a listener. */
    RawClient client(int listener) throws IOException {
        return RawClient.tcp(port(listener));
    }

    @Override
    public void close() throws IOException {
        server.close();
        pool.close();
        Files.deleteIfExists(directory);
    }
}
