package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kind of damage to each file of a directory of a thousand blocks, between two starts: what is read is right or a miss,
 * nothing that was discarded is back, and the directory takes blocks.
 */
class SsdDamageTest {
    private static final int RECORDS = 1_000;
    private static final int SEED = 82;
    private static final int HEADER_BYTES = 56;
    private static final int PAGE_BYTES = 4_096;
    private static final List<String> FILES = List.of("slab", "journal-0", "journal-1", "checkpoint-0", "checkpoint-1");

    /** What happens to a file, of which damage before {@code seen} can be told from what a kill leaves. */
    enum Damage {
        CUT_TO_NOTHING {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.truncate(0);
            }
        },
        CUT_TO_ONE_BYTE {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.truncate(1);
            }
        },
        CUT_WITHIN_THE_HEADER {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.truncate(HEADER_BYTES - 1);
            }
        },
        CUT_BEHIND_THE_HEADER {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.truncate(HEADER_BYTES);
            }
        },
        CUT_BY_ONE_BYTE {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.truncate(file.size() - 1);
            }
        },
        ONE_BYTE_MORE {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.write(ByteBuffer.wrap(new byte[] {7}), file.size());
            }
        },
        ZEROS_AT_THE_BEGINNING {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.write(ByteBuffer.allocate(512), 0);
            }
        },
        ZEROS_IN_THE_MIDDLE {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                for (int i = 0; i < 5; i++) {
                    int bytes = 1 + random.nextInt((int) Math.min(8_192, seen - 1));
                    file.write(ByteBuffer.allocate(bytes), random.nextInt((int) seen - bytes));
                }
            }
        },
        ALL_ZEROS {
            @Override
            void to(FileChannel file, long seen, Random random) throws IOException {
                file.write(ByteBuffer.allocate((int) file.size()), 0);
            }
        };

        abstract void to(FileChannel file, long seen, Random random) throws IOException;
    }

    @TempDir(factory = MemoryDir.class)
    static Path recordedIn;

    private static final Map<String, byte[]> RECORDED = new TreeMap<>();
    private static final NavigableMap<String, SsdHarness.Stored> STORED = new TreeMap<>();
    private static final NavigableMap<String, Long> DISCARDED = new TreeMap<>();
    private static long newest;
    /** Blocks that stand in the newest journal and in no checkpoint. */
    private static int recordedLater;

    @TempDir(factory = MemoryDir.class)
    Path dir;

    private final Random random = new Random(SEED);
    private final NavigableMap<String, SsdHarness.Stored> right = new TreeMap<>();
    private SsdHarness harness;

    @BeforeAll
    static void record() throws IOException {
        Random random = new Random(SEED);
        SsdHarness harness = open(recordedIn);
        for (int i = 0; i < RECORDS + 50; i++) {
            harness.put("key-" + i, random.nextInt(PAGE_BYTES) + 1);
        }
        churn(harness, random);
        for (int start = 0;
                start < 2;
                start++) { // the first one may have to write a checkpoint, the second goes on behind it
            harness.reopen();
            assertThat(harness.readRecovered()).isEqualTo(harness.stored);
        }
        harness.put("first", 1); // begins an epoch: what follows is in its journal, what came before in its checkpoint
        await().until(() -> harness.ssd.numbers().orElseThrow().checkpoints().count() == 1);
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        churn(harness, random);
        harness.ssd.close();
        recordedLater = (int) harness.stored.entrySet().stream()
                .filter(block -> !block.getValue().equals(before.get(block.getKey())))
                .count();
        newest = newestEpoch();
        STORED.putAll(harness.stored);
        DISCARDED.putAll(harness.discarded);
        for (String name : FILES) {
            RECORDED.put(name, Files.readAllBytes(recordedIn.resolve(name)));
        }
    }

    private static void churn(SsdHarness harness, Random random) throws IOException {
        for (int i = 0; i < 50; i++) {
            harness.delete("key-" + random.nextInt(RECORDS));
            harness.put("key-" + random.nextInt(RECORDS), random.nextInt(PAGE_BYTES) + 1);
        }
    }

    /** Of both pairs of files, which agree: the one of the last records. */
    private static long newestEpoch() throws IOException {
        long checkpoint = Math.max(epoch("checkpoint-0"), epoch("checkpoint-1"));
        assertThat(Math.max(epoch("journal-0"), epoch("journal-1"))).isEqualTo(checkpoint);
        return checkpoint;
    }

    private static long epoch(String name) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(recordedIn.resolve(name)));
        return header.order(ByteOrder.LITTLE_ENDIAN).getLong(16);
    }

    private static SsdHarness open(Path dir) throws IOException {
        SsdHarness harness = new SsdHarness(dir);
        harness.layout = new SsdLayout(128 << 10, 256 << 10, RECORDS + 200);
        harness.reopen();
        return harness;
    }

    /** What was recorded, in a directory of this test's own that is not open. */
    @BeforeEach
    void restore() throws IOException {
        harness = open(dir);
        harness.ssd.close();
        for (var file : RECORDED.entrySet()) {
            Files.write(dir.resolve(file.getKey()), file.getValue());
        }
        harness.stored.putAll(STORED);
        harness.discarded.putAll(DISCARDED);
        harness.generation = STORED.values().stream()
                .mapToLong(SsdHarness.Stored::generation)
                .max()
                .orElseThrow();
    }

    @AfterEach
    void close() {
        harness.ssd.close();
    }

    static Stream<Arguments> g82_damageBetweenTwoStarts() {
        return FILES.stream().flatMap(name -> Stream.of(Damage.values()).map(damage -> Arguments.of(name, damage)));
    }

    @ParameterizedTest
    @MethodSource
    void g82_damageBetweenTwoStarts(String name, Damage damage) throws IOException {
        damage(name, damage);
        harness.reopen();
        read(harness.recovered());
        assertThat(right).as("seed %d", SEED).hasSizeGreaterThanOrEqualTo(leastLeft(name, damage));
        goesOn();
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(harness.stored);
    }

    /**
     * Blocks that this damage does not reach. Without the older file of a pair nothing is missing, and the newest checkpoint
     * is made from it. What is lost of the newest journal may be the ends of all blocks from before.
     */
    private static int leastLeft(String name, Damage damage) {
        int all = STORED.size();
        if (damage == Damage.ONE_BYTE_MORE) {
            return all;
        }
        if (name.equals("slab")) {
            return switch (damage) {
                case CUT_BY_ONE_BYTE, ZEROS_AT_THE_BEGINNING -> all - 1;
                case ZEROS_IN_THE_MIDDLE -> all - 15;
                default -> 0;
            };
        }
        boolean isNewest = name.endsWith("-" + newest % 2);
        if (!isNewest) {
            return all;
        }
        if (name.startsWith("journal")) {
            return 0;
        }
        return damage == Damage.ZEROS_IN_THE_MIDDLE ? recordedLater : all;
    }

    @ParameterizedTest
    @EnumSource
    void g82_damageToTheSlabOfARunningServer(Damage damage) throws IOException {
        harness.reopen();
        NavigableMap<String, SsdHarness.Stored> found = harness.recovered();
        assertThat(found).isEqualTo(STORED);
        damage("slab", damage);
        read(found);
        goesOn();
    }

    private void damage(String name, Damage damage) throws IOException {
        try (FileChannel file =
                FileChannel.open(dir.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            damage.to(file, name.startsWith("journal") ? lastFrame(file) : file.size(), random);
        }
    }

    /** Where the last frame of a journal begins; a newest one that lacks it looks as if it had not been written (docs/durability.md). */
    private static long lastFrame(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size()).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
        int epoch = bytes.getInt(16);
        int last = FrameFile.FRAMES_AT;
        int next = last;
        while (next + FrameFile.FRAME_HEADER_BYTES < bytes.limit() && bytes.getInt(next + 4) == epoch) {
            last = next;
            int frame = FrameFile.FRAME_HEADER_BYTES + bytes.getInt(next + 12);
            next += Math.ceilDiv(frame, FrameFile.FRAME_ALIGN) * FrameFile.FRAME_ALIGN;
        }
        return last;
    }

    /** Each block is right, or a miss that goes; none was discarded. */
    private void read(NavigableMap<String, SsdHarness.Stored> found) throws IOException {
        for (var entry : found.entrySet()) {
            SsdHarness.Stored block = entry.getValue();
            assertThat(block.generation())
                    .as("%s was discarded", entry.getKey())
                    .isGreaterThanOrEqualTo(DISCARDED.getOrDefault(entry.getKey(), 0L));
            try {
                assertThat(harness.holds(block))
                        .as("bytes of %s", entry.getKey())
                        .isTrue();
                right.put(entry.getKey(), block);
            } catch (CorruptBlockException e) {
                assertThat(harness.ssd.free(block.copy()).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
            }
        }
    }

    private void goesOn() throws IOException {
        harness.stored.clear();
        harness.stored.putAll(right);
        for (int i = 0; i < 10; i++) {
            assertThat(harness.put("new-" + i, 5_000)).isTrue();
        }
        harness.delete("new-3");
        for (var entry : harness.stored.entrySet()) {
            assertThat(harness.holds(entry.getValue())).as(entry.getKey()).isTrue();
        }
    }
}
