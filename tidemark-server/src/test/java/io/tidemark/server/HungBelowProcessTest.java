package io.tidemark.server;

import static io.tidemark.server.SsdServer.BLOCKS;
import static io.tidemark.server.SsdServer.key;
import static io.tidemark.server.SsdServer.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.FuseFiles.Op;
import io.tidemark.server.replay.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The only device below takes no write any more, and the memory above is full: puts wait for space and are refused, until the
 * device counts as out of use; then what should go down is dropped, and puts go on.
 */
@Timeout(240)
class HungBelowProcessTest {
    private static final String OOM = "command not allowed when used memory > 'maxmemory'";
    private static final Duration SECONDS = Duration.ofSeconds(30);
    /** A put waits 200 ms; no answer takes as long as a device that hangs. */
    private static final long ANSWER_MILLIS_MAX = 2_000;

    @TempDir
    private Path folder;

    private FuseServer below;
    private FuseMount mount;
    private SsdServer server;
    private int next = BLOCKS;

    /** Ways to put a value. */
    enum Put {
        SET,
        MSET,
        TM_PUT;

        Reply ask(SsdServer server, int block) throws IOException {
            return switch (this) {
                case SET -> server.set(block);
                case MSET -> server.client.call("MSET", key(block), value(block), key(block) + "-too", value(block));
                case TM_PUT -> server.client.call("TM.PUT", key(block), value(block));
            };
        }
    }

    @BeforeEach
    void start() throws IOException {
        below = FuseServer.orSkip(folder);
        mount = below.mount;
        server = below.server;
        server.fill("ssd0");
    }

    @AfterEach
    void stop() throws IOException {
        if (below != null) {
            below.close();
        }
    }

    /** Stores one block; true: there was no room. Whatever the answer, it comes in time. */
    private boolean isRefused(Put put) throws IOException {
        long began = System.nanoTime();
        Reply reply = put.ask(server, next++);
        assertThat((System.nanoTime() - began) / 1_000_000)
                .as("%s: %s", put, reply)
                .isLessThan(ANSWER_MILLIS_MAX);
        if (reply instanceof Reply.Failure failure) {
            assertThat(failure.toString()).contains("OOM").contains(OOM);
            return true;
        }
        assertThat(reply.toString()).containsAnyOf("OK", "STORED");
        return false;
    }

    private boolean isNamed() throws Exception {
        return server.page("/readyz").contains("ssd0");
    }

    @Test
    void putsAreRefusedWhileTheDeviceMayComeBackAndGoOnWhenItIsOutOfUse() throws Exception {
        mount.inject(Op.WRITE::equals, new FuseMount.Hang(below.until));
        Set<Put> refused = EnumSet.noneOf(Put.class);
        long began = System.nanoTime();
        while (refused.size() < Put.values().length) {
            for (Put put : Put.values()) {
                if (isRefused(put)) {
                    refused.add(put);
                }
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SECONDS);
        }
        await().atMost(SECONDS).until(this::isNamed);
        await().atMost(SECONDS).until(() -> !isRefused(Put.SET));
        for (int i = 0; i < BLOCKS; i++) {
            for (Put put : Put.values()) {
                // A put waits 200 ms for space: where the machine does not run the one that makes it for so long, the
                // next one finds it.
                boolean first = isRefused(put);
                assertThat(first && isRefused(put))
                        .as("%s of block %d and the one before", put, next)
                        .isFalse();
            }
        }
        assertThat(server.page("/metrics"))
                .containsPattern("tidemark_dropped_only_copy_total\\{[^}]*unhealthy[^}]*} [1-9]");
        assertThat(server.process.log())
                .containsPattern(
                        "WARN.* \\d+ blocks were dropped that a lower tier was to keep, \\d+ so far \\(unhealthy\\): ssd0 is"
                                + " out of use: ");
        below.heal();
        await().atMost(SECONDS).until(() -> !isNamed());
    }
}
