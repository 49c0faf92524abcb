package io.tidemark.server;

import static io.tidemark.server.SsdServer.BLOCKS;
import static io.tidemark.server.SsdServer.OK;
import static io.tidemark.server.SsdServer.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server over two SSD directories, one of which the kernel makes as good as stand still. */
@Timeout(180)
class ThrottledDeviceProcessTest {
    private static final long CRAWL_BYTES_PER_SECOND = 1_024;

    private static final int BIG_BYTES = 16 << 20;
    private static final long SLOW_BYTES_PER_SECOND = 4L << 20;
    private static final int READERS = 8;

    @TempDir
    private Path folder;

    @Test
    void g68_aDeviceThatCrawlsIsNamedAndHoldsUpNeitherPutsNorMemoryNorTheOtherDevice() throws Exception {
        try (ThrottledDevice slow = ThrottledDevice.orSkip(folder, 128L << 20);
                SsdServer server = start(slow, "16Mi", folder.resolve("fast"))) {
            try {
                server.fill("ssd0", "ssd1");
                List<Integer> fast = server.on("ssd1", BLOCKS);
                slow.limit(CRAWL_BYTES_PER_SECOND);
                assertOthersGoOn(server, fast);
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    assertThat(server.set(BLOCKS)).isEqualTo(OK);
                    evictAll(server);
                    return server.page("/readyz").contains("ssd0");
                });
                assertOthersGoOn(server, fast);
            } finally {
                slow.limit(0);
                server.process.kill();
            }
        }
    }

    /** A server of the slow device's group, over a directory there and these others. */
    private SsdServer start(ThrottledDevice slow, String dram, Path... others) throws IOException {
        Path[] all =
                Stream.concat(Stream.of(slow.directory()), Stream.of(others)).toArray(Path[]::new);
        return SsdServer.start(slow.wrapper(), dram, folder.resolve("state"), "128Mi", all);
    }

    /** A value that takes seconds to reach the device is read from memory meanwhile, each time whole, and from the device then. */
    @Test
    void g52_aValueOnItsWayToACrawlingDeviceIsReadWholeByAllFromTheFirstMillisecond() throws Exception {
        String value =
                IntStream.range(0, BIG_BYTES / 8).mapToObj("%08d"::formatted).collect(Collectors.joining());
        try (ThrottledDevice slow = ThrottledDevice.orSkip(folder, 128L << 20);
                ExecutorService readers = Executors.newFixedThreadPool(READERS);
                SsdServer server = start(slow, "64Mi");
                RespConnection client = server.connect(BIG_BYTES)) {
            try {
                slow.limit(SLOW_BYTES_PER_SECOND);
                assertThat(client.call("SET", "big", value)).isEqualTo(OK);
                // Before anybody reads it: what is pinned does not begin to move.
                assertThat(client.call("TM.EVICT", "big").toString()).contains("DEMOTION_QUEUED");
                assertThat(client.call("TM.EVICT", "big").toString()).contains("IN_FLIGHT");
                List<Future<Integer>> reads = new ArrayList<>();
                for (int reader = 0; reader < READERS; reader++) {
                    reads.add(readers.submit(() -> readUntilBelow(server, value)));
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> isBelow(client));
                slow.limit(0);
                for (Future<Integer> read : reads) {
                    assertThat(read.get())
                            .as("reads of one reader while it moved")
                            .isPositive();
                }
            } finally {
                slow.limit(0);
                server.process.kill();
            }
        }
    }

    /** Reads the value until the device alone holds it, and then once more; answers how often it was there before. */
    private static int readUntilBelow(SsdServer server, String value) throws IOException {
        try (RespConnection client = server.connect(BIG_BYTES)) {
            for (int reads = 0; ; reads++) {
                boolean below = isBelow(client);
                assertThat(client.call("GET", "big").equals(new Reply.Bulk(value)))
                        .as("read %s, %s", reads, below ? "from the device" : "from memory")
                        .isTrue();
                if (below) {
                    return reads;
                }
            }
        }
    }

    private static boolean isBelow(RespConnection client) throws IOException {
        String where = client.call("TM.WHERE", "big").toString();
        return !where.contains("dram0") && where.contains("ssd0");
    }

    private static void evictAll(SsdServer server) throws IOException {
        for (int block = BLOCKS; block < BLOCKS + 50; block++) {
            assertThat(server.set(block)).isEqualTo(OK);
            server.client.call("TM.EVICT", key(block));
        }
    }

    /** Each answer comes well before the device could have taken or given a single block, which takes a minute. */
    private static void assertOthersGoOn(SsdServer server, List<Integer> fast) throws IOException {
        long began = System.nanoTime();
        for (int block = BLOCKS + 50; block < BLOCKS + 100; block++) {
            assertThat(server.set(block)).isEqualTo(OK);
            server.assertServed(block);
        }
        for (int block : fast) {
            server.assertServed(block);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    }
}
