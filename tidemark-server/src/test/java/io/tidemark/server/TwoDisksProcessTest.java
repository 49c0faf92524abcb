package io.tidemark.server;

import static io.tidemark.server.SsdServer.BLOCKS;
import static io.tidemark.server.SsdServer.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.replay.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server over two SSD directories, each on a disk (a loop device with an ext4) of its own. */
@Timeout(180)
class TwoDisksProcessTest {
    private static final long DISK_BYTES = 96L << 20;
    private static final int MORE = 300;

    @TempDir
    private Path folder;

    private Ext4Mount disk(String name) throws Exception {
        return Ext4Mount.orSkip(Files.createDirectory(folder.resolve(name)), DISK_BYTES);
    }

    /** A disk that crawls: {@link ThrottledDeviceProcessTest}. */
    @Test
    void g68_aDiskThatDiesIsNamedAndTakesItsOwnBlocksOnly() throws Exception {
        try (Ext4Mount dying = disk("dying");
                Ext4Mount sound = disk("sound");
                SsdServer server = SsdServer.start(
                        folder.resolve("state"),
                        "128Mi",
                        dying.root().resolve("ssd"),
                        sound.root().resolve("ssd"))) {
            try {
                server.fill("ssd0", "ssd1");
                List<Integer> there = server.on("ssd1", BLOCKS);
                dying.cutOff();
                for (int block = BLOCKS; block < BLOCKS + MORE; block++) {
                    assertThat(server.set(block)).isEqualTo(OK);
                    server.assertServed(block);
                }
                for (int block = 0; block < BLOCKS; block++) {
                    assertThat(server.get(block))
                            .as("block %d", block)
                            .isIn(new Reply.Bulk(SsdServer.value(block)), new Reply.Nil());
                }
                for (int block : there) {
                    server.assertServed(block);
                }
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> server.page("/readyz").contains("ssd0"));
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> server.on("ssd1", BLOCKS + MORE).size() > there.size() + MORE / 4);
            } finally {
                server.process.kill();
            }
        }
    }
}
