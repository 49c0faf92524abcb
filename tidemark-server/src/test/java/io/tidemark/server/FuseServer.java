package io.tidemark.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A server of which the first SSD directory lies on a file system that hangs, fails or is slow on demand. */
final class FuseServer implements AutoCloseable {
    final FuseMount mount;
    final SsdServer server;
    /** What hangs, hangs until this. */
    final CountDownLatch until = new CountDownLatch(1);

    private FuseServer(FuseMount mount, SsdServer server) {
        this.mount = mount;
        this.server = server;
    }

    /** Starts it, with further directories of this machine's own; skips the test where no such file system can be mounted. */
    static FuseServer orSkip(Path folder, Path... others) throws IOException {
        FuseMount mount = FuseMount.orSkip(folder);
        try {
            Path[] directories = Stream.concat(Stream.of(mount.root().resolve("ssd")), Stream.of(others))
                    .toArray(Path[]::new);
            return new FuseServer(mount, SsdServer.start(folder.resolve("state"), "128Mi", directories));
        } catch (IOException | RuntimeException | Error e) {
            mount.close();
            throw e;
        }
    }

    /** What hung comes back and works. */
    void heal() {
        mount.heal();
        until.countDown();
    }

    /** In this order: a server that hangs in the kernel does not end. */
    @Override
    public void close() throws IOException {
        heal();
        server.close();
        mount.close();
    }
}
