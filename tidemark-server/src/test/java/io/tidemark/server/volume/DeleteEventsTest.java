package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.FsLayout;
import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.Name;
import io.tidemark.core.volume.RankDir;
import io.tidemark.testing.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DeleteEventsTest {
    private static final RankDir RANK = RankDir.of("org_m_0123_r0", Optional.of("org/m"));

    @Test
    void framesAreByteForByteThoseOfTheEvictorOfOld() throws IOException {
        JsonNode golden = JsonMapper.builder()
                .build()
                .readTree(Files.readString(SharedData.require("golden/volume/events.json")));
        int compared = 0;
        for (JsonNode event : golden) {
            if (event.get("kind").asString().equals("removed")) {
                List<Long> hashes = new ArrayList<>();
                event.get("hashes").forEach(hash -> hashes.add(Long.parseUnsignedLong(hash.asString(), 16)));
                String medium = event.get("medium").asString();
                byte[] payload = DeleteMessage.payload(event.get("ts").asDouble(), hashes, medium);
                assertThat(hex(payload)).isEqualTo(event.get("payload_hex").asString());
                String topic = event.get("topic").asString();
                String model = topic.substring(topic.lastIndexOf('@') + 1);
                assertThat(new String(DeleteMessage.topic(medium, model), StandardCharsets.UTF_8))
                        .isEqualTo(topic);
                assertThat(hex(DeleteMessage.sequence(1)))
                        .isEqualTo(event.get("seq1_hex").asString());
                compared++;
            }
        }
        assertThat(compared).isPositive();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static Layout.BlockHash hash(String hex) {
        return new FsLayout(3).hash(Name.of(hex + ".bin"));
    }

    @Test
    void aSubscriberInPythonReceivesEachRemovedHashOnceWithRisingNumbers() throws Exception {
        String endpoint = "tcp://127.0.0.1:" + PythonSubscriber.freePort();
        try (ZmqEvents events = new ZmqEvents(endpoint, "FS", 100, Clocks.system())) {
            try (PythonSubscriber subscriber = PythonSubscriber.of(endpoint, "kv@FS@")) {
                BufferedReader lines = subscriber.lines;
                String first = awaitSubscribed(events, lines);
                assertThat(first).startsWith("kv@FS@org/m ").contains("BlockRemoved FS 00000000000000aa");
                long sequence = Long.parseLong(first.split(" ", -1)[1]);
                events.removed(RANK, hash("abcdef0123456789"));
                events.removed(RANK, hash("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"));
                events.removed(RankDir.of("nameless_r0", Optional.empty()), hash("0000000000000001"));
                events.removed(RANK, hash("zz"));
                events.flush();
                String second = lines.readLine();
                while (second.contains("00000000000000aa")) {
                    sequence++;
                    second = lines.readLine();
                }
                assertThat(second)
                        .isEqualTo(
                                "kv@FS@org/m " + (sequence + 1) + " BlockRemoved FS abcdef0123456789 8899aabbccddeeff");
            }
        }
    }

    /** Publishes until the subscription has arrived: what goes before is lost, as with every PUB socket. */
    private static String awaitSubscribed(ZmqEvents events, BufferedReader lines) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!lines.ready() && System.nanoTime() < end) {
            events.removed(RANK, hash("00000000000000aa"));
            events.flush();
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return lines.readLine();
    }
}
