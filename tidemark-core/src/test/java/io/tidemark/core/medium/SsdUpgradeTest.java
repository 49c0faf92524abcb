package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories that a build of another version wrote. */
class SsdUpgradeTest extends SsdHarnessTest {
    private static final int SEED = 4;

    private final Random random = new Random(SEED);

    private void churn(int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            String key = "key-" + random.nextInt(60);
            if (random.nextInt(8) == 0) {
                harness.delete(key);
            } else if (!harness.put(key, 1 + random.nextInt(9_000))) {
                harness.evict(harness.stored.firstKey());
            }
        }
    }

    /** As if a build of version 4 had written these of the files last. */
    private void downgrade(BooleanSupplier these) throws IOException {
        harness.ssd.close();
        for (Path path : files()) {
            if (these.getAsBoolean()) {
                byte[] file = Files.readAllBytes(path);
                SsdFormat.downgrade(file);
                Files.write(path, file);
            }
        }
    }

    private List<Path> files() {
        return Stream.of(SsdDirectory.JOURNALS, SsdDirectory.CHECKPOINTS)
                .flatMap(Stream::of)
                .map(dir::resolve)
                .toList();
    }

    private int version(String file) throws IOException {
        return SsdFormat.version(Files.readAllBytes(dir.resolve(file)));
    }

    /** Everything that was stored is there; goes on with that, and with what had been evicted a moment ago. */
    private void takeOver() throws IOException {
        NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
        assertThat(found).as("seed %d", SEED).containsAllEntriesOf(harness.stored);
        harness.stored.clear();
        harness.stored.putAll(found);
    }

    @Test
    void version4IsServedAsItIsAndWrittenAnewFromTheNextEpochOn() throws IOException {
        for (int i = 0; i < 40; i++) {
            harness.put("key-" + i, 4096);
        }
        downgrade(() -> true);
        harness.reopen();
        takeOver();
        assertThat(harness.stored).hasSize(40);
        assertThat(harness.sys.count("pwrite")).as("the lock").isEqualTo(1);
        harness.put("one-more", 10);
        await().until(() -> harness.ssd.numbers().orElseThrow().checkpoints().count() > 0);
        assertThat(List.of(version("journal-1"), version("checkpoint-1"))).containsOnly(4);
        assertThat(List.of(version("journal-0"), version("checkpoint-0"))).containsOnly(FrameFile.VERSION);
        harness.reopen();
        takeOver();
        churn(400);
        for (Path path : files()) {
            assertThat(SsdFormat.version(Files.readAllBytes(path))).isEqualTo(FrameFile.VERSION);
        }
        harness.reopen();
        takeOver();
    }

    /** Of the four files any may be of the older build; the newer one may die in its first writes. */
    @Test
    void whateverFilesAreOfVersion4NothingIsLostAndNothingComesBack() throws IOException {
        for (int round = 0; round < 40; round++) {
            churn(random.nextInt(120));
            downgrade(random::nextBoolean);
            FaultySys dying = new FaultySys(NativeSys.INSTANCE);
            int last = 1 + random.nextInt(6);
            dying.inject(call -> call.is("pwrite") && call.number() == last, new FaultySys.Kill(random.nextInt(100)));
            harness.startAndDie(dying);
            harness.reopen();
            takeOver();
        }
    }

    /** As a build of version 4 left it: {@code key-0} to {@code key-39} stored, the third deleted, the fourth stored once more. */
    @Test
    void aDirectoryOfTheLastBuildOfVersion4IsServed() throws IOException {
        harness.ssd.close();
        try (InputStream recorded =
                        Objects.requireNonNull(SsdUpgradeTest.class.getResourceAsStream("/ssd-version-4.zip"));
                ZipInputStream zip = new ZipInputStream(recorded)) {
            for (ZipEntry file = zip.getNextEntry(); file != null; file = zip.getNextEntry()) {
                Files.write(dir.resolve(file.getName()), zip.readAllBytes());
            }
        }
        assertThat(List.of(version("journal-1"), version("checkpoint-1"))).containsOnly(4);
        harness.reopen();
        NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
        assertThat(found).hasSize(39).doesNotContainKey("key-2");
        found.forEach((key, block) -> {
            int number = Integer.parseInt(key.substring("key-".length()));
            assertThat(block.generation()).as(key).isEqualTo(number == 3 ? 41 : number + 1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal-0", "journal-1", "checkpoint-0", "checkpoint-1"})
    void anUnknownVersionStopsTheStartAndNothingIsTouched(String name) throws IOException {
        churn(400);
        harness.ssd.close();
        Path path = dir.resolve(name);
        byte[] file = Files.readAllBytes(path);
        for (int version : new int[] {3, FrameFile.VERSION + 1}) {
            SsdFormat.setVersion(file, version);
            Files.write(path, file);
            assertRefused(path + " has format version " + version + ", this build knows 4 and 5: start");
        }
        SsdFormat.setVersion(file, FrameFile.VERSION);
        Files.write(path, file);
        harness.reopen();
        takeOver();
    }

    @Test
    void anIdentityOfAnUnknownVersionStopsTheStartAndNothingIsTouched() throws IOException {
        churn(100);
        harness.ssd.close();
        Path path = dir.resolve("identity");
        String known = Files.readString(path);
        Files.writeString(path, known.replace("tidemark-ssd 1 ", "tidemark-ssd 2 "));
        assertRefused(path + " says \"tidemark-ssd 2 ");
        Files.writeString(path, known);
        harness.reopen();
        takeOver();
    }

    private void assertRefused(String why) throws IOException {
        Map<Path, ByteBuffer> before = contents();
        assertThatThrownBy(() -> harness.reopen())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("--fresh");
        assertThat(contents()).isEqualTo(before);
    }

    /** All files but the lock, which says who tried. */
    private Map<Path, ByteBuffer> contents() throws IOException {
        Map<Path, ByteBuffer> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(dir)) {
            for (Path file : files.filter(path -> !path.endsWith("lock")).toList()) {
                contents.put(file, ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
        return contents;
    }
}
