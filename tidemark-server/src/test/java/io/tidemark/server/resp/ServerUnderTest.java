package io.tidemark.server.resp;

import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.CopyInfo;
import io.tidemark.core.pool.DeviceReads;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PoolLimits;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import io.tidemark.server.resp.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

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
        private Optional<Sys> ssdSys = Optional.empty();
        private DeviceReads deviceReads = DeviceReads.DEFAULT;
        private Optional<TlsFiles> tls = Optional.empty();
        private int loops = 2;
        private UnaryOperator<MappedMedium> memoryAs = UnaryOperator.identity();

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

        /** Adds a listener under TLS on a free port of loopback. */
        Builder tls(TlsFiles files) {
            tls = Optional.of(files);
            more.add(RespListener.of(new ListenAddress.Tcp("127.0.0.1", 0, false, true)));
            return this;
        }

        /** Puts a tier on SSD of 64 MiB below, whose system calls go through {@code sys}. */
        Builder ssd(Sys sys) {
            ssdSys = Optional.of(sys);
            return this;
        }

        Builder deviceReads(DeviceReads value) {
            deviceReads = value;
            return this;
        }

        /** Serves from the memory through this. */
        Builder memoryAs(UnaryOperator<MappedMedium> wrapper) {
            memoryAs = wrapper;
            return this;
        }

        Builder loops(int number) {
            loops = number;
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
            TierConfig memory = TierConfig.of("dram", Marks.DEFAULT, new TierMember(memoryAs.apply(dram), 1));
            PoolConfig tiers = ssdSys.isEmpty()
                    ? PoolConfig.of(memory)
                    : PoolConfig.of(memory.offloadingTo("ssd"), ssd(ssdSys.get(), directory.resolve("ssd")));
            Pool pool = Pool.open(tiers.with(poolLimits).with(deviceReads));
            RespServer server =
                    RespServer.start(pool, new RespOptions(listeners, limits, loops, "0.0.0-test", "allkeys-lfu", tls));
            return new ServerUnderTest(directory, pool, server);
        }

        private static TierConfig ssd(Sys sys, Path directory) throws IOException {
            SsdMedium medium = SsdMedium.open(sys, SsdOptions.of("ssd0", directory, 64 * MIB));
            medium.copies().trackOrder("lru");
            return TierConfig.of("ssd", Marks.DEFAULT, new TierMember(medium, 1));
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

    /** Stores a value that is on SSD only. */
    void setOnSsd(RawClient client, String key, byte[] value) throws IOException {
        client.set(key, value);
        pool.evict(EvictionRequest.of(BlockKey.of(key), EvictionReason.CAPACITY));
        await().until(() -> pool.where(BlockKey.of(key)).stream()
                .map(CopyInfo::tier)
                .toList()
                .equals(List.of("ssd")));
    }

    @Override
    public void close() throws IOException {
        server.close();
        pool.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
