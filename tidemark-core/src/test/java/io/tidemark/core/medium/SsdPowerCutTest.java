package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A power cut within and after a start that has to write checkpoints first, as one has to after a kill in the middle of a
 * checkpoint: whatever it takes back of what was not synced, the blocks that were on the device before are there.
 */
class SsdPowerCutTest {
    private static final int SEED = 88;
    private static final int AT_RANDOM = 6;
    private static final List<String> FRAME_FILES = List.of("journal-0", "journal-1", "checkpoint-0", "checkpoint-1");
    private static final int CALLS_MAX = 100;

    @TempDir(factory = MemoryDir.class)
    Path dir;

    private final Random random = new Random(SEED);
    private final Map<String, byte[]> onDevice = new TreeMap<>();
    private final NavigableMap<String, SsdHarness.Stored> stored = new TreeMap<>();
    private SsdHarness harness;

    @BeforeEach
    void dieWithinACheckpoint() throws IOException {
        harness = new SsdHarness(dir);
        for (int i = 0; i < 40; i++) {
            harness.put("key-" + i, 5_000);
        }
        harness.reopen();
        harness.recovered();
        harness.sys.inject(call -> call.is("pwrite", "checkpoint-") && call.offset() > 0, new FaultySys.Kill(0), 1);
        try {
            for (int i = 0; i < 10_000; i++) {
                harness.put("more-" + i % 100, 100);
            }
        } catch (FaultySys.Killed | IOException e) {
            assertThat(harness.sys.isKilled()).isTrue();
        }
        harness.die();
        stored.putAll(harness.stored);
        for (String name : FRAME_FILES) {
            onDevice.put(name, Files.readAllBytes(dir.resolve(name)));
        }
    }

    @Test
    void g88_aPowerCutAroundAStartThatWritesCheckpointsLosesNoBlock() throws IOException {
        int calls = 0;
        boolean died = true;
        while (died) {
            calls++;
            assertThat(calls).isLessThan(CALLS_MAX);
            for (int lost = 0; lost < (1 << FRAME_FILES.size()) + AT_RANDOM; lost++) {
                died = cutsAt(calls, lost);
            }
        }
        assertThat(calls).as("the start wrote files").isGreaterThan(5);
    }

    /** Dies at this call of a start, or right after it; false: after it. */
    private boolean cutsAt(int calls, int lost) throws IOException {
        for (var file : onDevice.entrySet()) {
            Files.write(dir.resolve(file.getKey()), file.getValue());
        }
        PowerCut power = new PowerCut();
        FaultySys dying = new FaultySys(power.sys());
        dying.inject(SsdPowerCutTest::changes, new FaultySys.Pass(), calls - 1L);
        dying.inject(SsdPowerCutTest::changes, new FaultySys.Kill(0), 1);
        harness.startAndDie(dying);
        boolean within = dying.isKilled();
        harness.die();
        power.cut(lost < 1 << FRAME_FILES.size() ? of(lost) : write -> random.nextBoolean());
        harness.reopen();
        NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
        for (var block : stored.entrySet()) {
            assertThat(found.get(block.getKey()))
                    .as("%s, cut at call %d, lost %d, seed %d", block.getKey(), calls, lost, SEED)
                    .isNotNull();
        }
        return within;
    }

    private static boolean changes(FaultySys.Call call) {
        return call.is("pwrite") || call.is("ftruncate") || call.is("fallocate") || call.is("fdatasync");
    }

    /** Writes to the files with these numbers. */
    private static Predicate<PowerCut.Unsynced> of(int files) {
        return write -> (files
                        & 1
                                << FRAME_FILES.indexOf(
                                        Path.of(write.file()).getFileName().toString()))
                != 0;
    }
}
