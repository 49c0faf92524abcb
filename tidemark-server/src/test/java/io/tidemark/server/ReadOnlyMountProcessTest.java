package io.tidemark.server;

import static io.tidemark.server.SsdServer.BLOCKS;
import static io.tidemark.server.SsdServer.OK;
import static io.tidemark.server.SsdServer.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.replay.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system that is mounted read-only below a server: through starts, and back to one that takes writes. */
@Timeout(180)
class ReadOnlyMountProcessTest {
    private static final Reply NONE = new Reply.Nil();
    private static final Reply ONE = new Reply.Int(1);

    @TempDir
    private Path folder;

    private SsdServer start(Ext4Mount mount) throws IOException {
        return SsdServer.start(folder.resolve("state"), "64Mi", mount.root().resolve("ssd"));
    }

    private static void stop(SsdServer server) throws InterruptedException {
        long began = System.nanoTime();
        server.process.terminate();
        assertThat(server.process.exitCode()).isZero();
        assertThat((System.nanoTime() - began) / 1_000_000).isLessThan(2_000);
    }

    private static void assertMayBeBack(SsdServer server, String... command) throws IOException {
        assertThat(server.client.call(command).toString())
                .as(String.join(" ", command))
                .contains("may be back after a restart")
                .contains("ssd0");
    }

    @Test
    void h1_whatIsThereIsServedAndWhatCannotBeWrittenDownIsTold() throws Exception {
        try (Ext4Mount mount = Ext4Mount.orSkip(folder, 96L << 20)) {
            List<Integer> below;
            try (SsdServer server = start(mount)) {
                server.fill("ssd0");
                below = server.on("ssd0", BLOCKS);
                assertThat(server.client.call("DEL", key(below.getLast()))).isEqualTo(ONE);
                stop(server);
            }
            int deleted = below.getLast();
            List<Integer> there = below.subList(0, below.size() - 1);
            mount.again("ro");
            try (SsdServer server = start(mount)) {
                assertThat(server.page("/readyz")).contains("ssd0").contains("read-only");
                assertThat(server.process.log())
                        .contains("is on a read-only file system; it serves what is there and takes nothing");
                assertThat(server.get(deleted)).isEqualTo(NONE);
                there.forEach(block -> assertServed(server, block));
                changeWhatCannotBeWritten(server, there);
                storeMoreThanMemoryHolds(server);
                stop(server);
            }
            mount.again("rw");
            try (SsdServer server = start(mount)) {
                assertThat(server.page("/readyz")).doesNotContain("ssd0");
                assertThat(server.get(deleted)).isEqualTo(NONE);
                there.forEach(block -> assertServed(server, block)); // as they were
                assertThat(server.client.call("TTL", key(there.get(4)))).isEqualTo(new Reply.Int(-1));
                assertThat(server.client.call("DEL", key(there.getFirst()))).isEqualTo(ONE);
                server.process.kill();
            }
            try (SsdServer server = start(mount)) {
                assertThat(server.get(there.getFirst())).isEqualTo(NONE);
                assertServed(server, there.getLast());
                stop(server);
            }
        }
    }

    private static void assertServed(SsdServer server, int block) {
        try {
            server.assertServed(block);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void changeWhatCannotBeWritten(SsdServer server, List<Integer> there) throws IOException {
        String gone = key(there.get(0));
        assertMayBeBack(server, "DEL", gone);
        assertMayBeBack(server, "DEL", gone); // each time until the next start
        assertThat(server.client.call("GET", gone)).isEqualTo(NONE);
        assertMayBeBack(server, "UNLINK", key(there.get(1)), "none");
        String overwritten = key(there.get(2));
        assertThat(server.client.call("SET", overwritten, "new")).isEqualTo(OK);
        assertThat(server.client.call("GET", overwritten)).isEqualTo(new Reply.Bulk("new"));
        assertMayBeBack(server, "DEL", overwritten);
        assertMayBeBack(server, "EXPIRE", key(there.get(3)), "0");
        assertThat(server.client.call("EXPIRE", key(there.get(4)), "1000")).isEqualTo(ONE);
        assertMayBeBack(server, "TM.EVICT", key(there.get(5)), "DISCARD");
        assertMayBeBack(server, "SET", key(there.get(6)), "v", "PXAT", "1");
        assertThat(server.client.call("SET", "other", "v")).isEqualTo(OK);
        assertThat(server.client.call("DEL", "other")).as("of another key").isEqualTo(ONE);
    }

    private static void storeMoreThanMemoryHolds(SsdServer server) throws IOException {
        for (int block = BLOCKS; block < 2 * BLOCKS; block++) {
            assertThat(server.set(block)).isEqualTo(OK);
        }
        assertThat(server.client.call("TM.WHERE", key(2 * BLOCKS - 1)).toString())
                .doesNotContain("ssd0");
        assertServed(server, 2 * BLOCKS - 1);
    }
}
