package io.tidemark.server;

import static io.tidemark.server.SsdServer.BLOCKS;
import static io.tidemark.server.SsdServer.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.replay.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody deletes or moves the SSD directory of a server that runs. */
@Timeout(180)
class NamesLostProcessTest {
    private static final Duration SECONDS = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private SsdServer start() throws IOException {
        return SsdServer.start(folder.resolve("state"), "64Mi", folder.resolve("ssd"));
    }

    @Test
    void aDirectoryThatIsDeletedIsNamedServedAndBeginsEmpty() throws Exception {
        List<Integer> below;
        try (SsdServer server = start()) {
            server.fill("ssd0");
            below = server.on("ssd0", BLOCKS);
            assertThat(server.page("/readyz")).doesNotContain("ssd0");
            try (Stream<Path> files = Files.list(folder.resolve("ssd"))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder.resolve("ssd"));
            await().atMost(SECONDS).until(() -> server.page("/readyz").contains("ssd0"));
            assertThat(server.page("/readyz")).contains("no longer the file");
            assertThat(server.page("/api/v1/status")).contains("no longer the file");
            assertThat(server.page("/metrics")).containsPattern("tidemark_backend_healthy\\{[^}]*ssd0[^}]*} 0");
            for (int block : below) {
                server.assertServed(block);
            }
            assertThat(server.set(BLOCKS)).isEqualTo(SsdServer.OK);
            server.assertServed(BLOCKS);
            assertThat(server.client.call("DEL", key(below.getFirst())).toString())
                    .contains("ssd0")
                    .contains("restart");
            assertThat(server.get(below.getFirst())).isEqualTo(new Reply.Nil());
            assertThat(server.client.call("DEL", key(BLOCKS)))
                    .as("was in memory alone")
                    .isEqualTo(new Reply.Int(1));
            assertThat(server.process.log().split("ERROR", -1).length - 1)
                    .as("errors, of the directory and of the deletion")
                    .isEqualTo(2);
            server.process.terminate();
            assertThat(server.process.exitCode()).isZero();
        }
        try (SsdServer server = start()) {
            assertThat(server.client.call("DBSIZE")).isEqualTo(new Reply.Int(0));
            assertThat(server.page("/readyz")).doesNotContain("ssd0");
            server.fill("ssd0");
        }
    }

    @Test
    void aDirectoryThatIsMovedAndBroughtBackGoesOn() throws Exception {
        List<Integer> below;
        try (SsdServer server = start()) {
            server.fill("ssd0");
            below = server.on("ssd0", BLOCKS);
            Files.move(folder.resolve("ssd"), folder.resolve("elsewhere"));
            await().atMost(SECONDS).until(() -> server.page("/readyz").contains("ssd0"));
            server.assertServed(below.getLast());
            Files.move(folder.resolve("elsewhere"), folder.resolve("ssd"));
            await().atMost(SECONDS).until(() -> !server.page("/readyz").contains("ssd0"));
            assertThat(server.client.call("DEL", key(below.getFirst()))).isEqualTo(new Reply.Int(1));
            server.process.kill();
        }
        try (SsdServer server = start()) {
            assertThat(server.get(below.getFirst())).isEqualTo(new Reply.Nil());
            for (int block : below.subList(1, below.size())) {
                server.assertServed(block);
            }
        }
    }
}
