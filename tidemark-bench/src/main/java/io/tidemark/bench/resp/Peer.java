package io.tidemark.bench.resp;

import io.tidemark.server.replay.ChildServer;
import io.tidemark.server.replay.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server of the benchmark, in a process of its own unless it was running already.
 *
 * @param raw whether it only moves bytes
 * @param endpoint where it listens; empty when its program is not on this machine
 */
record Peer(String name, boolean raw, Optional<Endpoint> endpoint, Optional<ChildServer> child)
        implements AutoCloseable {

    /** A server that runs already. */
    static Peer running(String url) {
        return new Peer("ours", false, Optional.of(Endpoint.parse(url)), Optional.empty());
    }

    /** Tidemark, from the classes of this JVM. */
    static Peer tidemark(long memoryBytes) throws IOException {
        return of("ours", false, ChildServer.tidemark(memoryBytes));
    }

    /** The raw socket. */
    static Peer rawSocket() throws IOException {
        return of("raw", true, ChildServer.mainOf(RawServer.class));
    }

    /** The {@code redis-server} of the machine. */
    static Peer redis(long memoryBytes) throws IOException {
        Optional<Path> program = ChildServer.redisProgram();
        return program.isPresent()
                ? of("redis", false, ChildServer.redis(program.get(), memoryBytes))
                : new Peer("redis", false, Optional.empty(), Optional.empty());
    }

    @Override
    public void close() {
        child.ifPresent(ChildServer::close);
    }

    private static Peer of(String name, boolean raw, ChildServer child) {
        return new Peer(name, raw, Optional.of(child.endpoint()), Optional.of(child));
    }
}
