package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A start goes on behind the files of the process before, and writes none of them anew. */
class SsdResumeTest extends SsdHarnessTest {
    @BeforeEach
    void fill() throws IOException {
        for (int i = 0; i < 40; i++) {
            harness.put("key-" + i, 4096);
        }
    }

    /** Has a journal begin, and waits until its checkpoint is whole. */
    private void awaitCheckpoint() throws IOException {
        harness.put("one-more", 10);
        await().until(() -> harness.ssd.numbers().orElseThrow().checkpoints().count() > 0);
    }

    @Test
    void aStartAfterAWholeCheckpointWritesNothingButTheLock() throws IOException {
        for (int start = 0; start < 3; start++) {
            harness.reopen();
            assertThat(harness.readRecovered()).hasSize(40);
            assertThat(harness.sys.count("pwrite")).as("start %d", start).isEqualTo(1);
        }
    }

    @Test
    void whatEndsAfterAStartStaysAwayThoughTheOldCheckpointHoldsIt() throws IOException {
        harness.reopen();
        harness.stored.putAll(harness.readRecovered());
        harness.delete("key-7");
        harness.put("key-8", 9000);
        harness.reopen();
        assertThat(harness.readRecovered())
                .hasSize(39)
                .doesNotContainKey("key-7")
                .containsEntry("key-8", harness.stored.get("key-8"));
    }

    @Test
    void whatCameBeforeAStartIsInTheFirstCheckpointAfterIt() throws IOException {
        harness.reopen();
        harness.stored.putAll(harness.readRecovered());
        awaitCheckpoint();
        harness.reopen();
        assertThat(harness.readRecovered()).hasSize(41);
    }

    @Test
    void ofSeveralRecordsOfABlockTheFirstCheckpointAfterAStartHoldsTheLast() throws IOException {
        long copy = harness.copyOf("key-3");
        for (int name = 0; name < 5; name++) {
            harness.ssd.recordAs(copy, ("name-" + name).getBytes(StandardCharsets.UTF_8), 4);
        }
        harness.ssd.close();
        harness.reopen();
        assertThat(harness.recovered()).containsKey("name-4").doesNotContainKeys("name-3", "key-3");
        awaitCheckpoint();
        assertThat(recordsOf(copy)).containsExactly("name-4");
    }

    /** Keys under which the newest checkpoint holds a block. */
    private List<String> recordsOf(long copy) throws IOException {
        List<String> keys = new ArrayList<>();
        FrameFile[] files = new FrameFile[2];
        long newest = 0;
        for (int i = 0; i < 2; i++) {
            files[i] = new FrameFile(
                    NativeSys.INSTANCE,
                    dir.resolve("checkpoint-" + i).toString(),
                    Sys.O_RDONLY,
                    FrameFile.Kind.CHECKPOINT,
                    harness.layout.checkpointBytes(),
                    4096);
            newest = Math.max(newest, files[i].readHeader().epoch());
        }
        try (RecordLog log = new RecordLog(NativeSys.INSTANCE)) {
            files[(int) (newest % 2)].readFrames(newest, (payload, afterGap) -> {
                RecordLog.Row row = log.row();
                long position = log.append(payload);
                for (int at = 0; at < payload.remaining(); at += row.bytes()) {
                    if (payload.get(payload.position() + at) != RecordType.PUT) {
                        return false;
                    }
                    if (row.at(position + at).handle() == copy) {
                        keys.add(new String(row.window(), row.keyAt(), row.keyBytes(), StandardCharsets.UTF_8));
                    }
                }
                return true;
            });
        }
        for (FrameFile file : files) {
            file.close();
        }
        return keys;
    }
}
