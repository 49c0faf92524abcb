package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SsdRestartTest extends SsdHarnessTest {
    private void churn(Random random, int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            String key = "key-" + random.nextInt(60);
            switch (random.nextInt(10)) {
                case 0 -> harness.delete(key);
                case 1 -> harness.evict(key);
                default -> {
                    while (!harness.put(key, 1 + random.nextInt(random.nextInt(8) == 0 ? 150_000 : 9_000))) {
                        harness.evict(harness.stored.firstKey());
                    }
                }
            }
        }
    }

    private void patch(String file, long at, byte... bytes) throws IOException {
        try (RandomAccessFile raw = new RandomAccessFile(dir.resolve(file).toFile(), "rw")) {
            raw.seek(at);
            raw.write(bytes);
        }
    }

    @Test
    void g88_everythingCommittedIsThereAfterAKill() throws IOException {
        churn(new Random(88), 300);
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        harness.reopen();
        assertThat(harness.readRecovered()).containsAllEntriesOf(before);
    }

    @Test
    void everythingIsThereAfterAClose() throws IOException {
        churn(new Random(1), 300);
        harness.ssd.close();
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(before);
    }

    @Test
    void g94_whatWasDeletedStaysDeleted() throws IOException {
        harness.put("k", 5000);
        harness.delete("k");
        harness.reopen();
        assertThat(harness.readRecovered()).isEmpty();
        harness.stored.clear();
        harness.put("k", 6000);
        harness.reopen();
        assertThat(harness.readRecovered()).containsOnlyKeys("k");
    }

    @Test
    void g18_anOverwrittenValueNeverComesBack() throws IOException {
        harness.put("k", 5000);
        harness.put("k", 7000);
        harness.evict("k");
        harness.reopen();
        harness.readRecovered();
    }

    @Test
    void g99_anEmptyBlockSurvives() throws IOException {
        harness.put("empty", 0);
        harness.reopen();
        assertThat(harness.readRecovered().get("empty"))
                .extracting(SsdHarness.Stored::bytes)
                .isEqualTo(0);
    }

    @Test
    void g87_usageIsKnownBeforeTheFirstPutAndOrderIsKept() throws IOException {
        for (int i = 0; i < 40; i++) {
            harness.put("key-" + (100 + i), 4096);
        }
        harness.reopen();
        assertThat(harness.ssd.ledger().usedBytes()).isEqualTo(40 * 4096);
        List<Long> found = new ArrayList<>();
        harness.ssd.recovered((copy, key, generation, bytes) -> found.add(copy));
        harness.ssd.copies().trackOrder("lru");
        List<Long> offered =
                harness.ssd.copies().order().offers(new OfferBudget(Long.MAX_VALUE, 100), copy -> true).stream()
                        .map(Offer::handle)
                        .toList();
        assertThat(offered).isEqualTo(found.reversed()).hasSize(40);
    }

    @Test
    void handlesOfAnEarlierProcessNeverComeAgain() throws IOException {
        harness.put("a", 100);
        long old = harness.copyOf("a");
        harness.delete("a");
        harness.reopen();
        harness.readRecovered();
        harness.stored.clear();
        harness.put("b", 100);
        assertThat(harness.copyOf("b")).isNotEqualTo(old);
    }

    @Test
    void g88_aDamagedCheckpointCostsAtMostBlocks() throws IOException {
        churn(new Random(5), 200);
        for (String file : new String[] {"checkpoint-0", "checkpoint-1"}) {
            harness.reopen();
            harness.ssd.close();
            patch(file, 0, new byte[8192]);
            harness.reopen();
            harness.readRecovered();
            harness.ssd.close();
        }
    }

    /** A byte that is read wrong once: in a cache of pages, by a disk or a network below. */
    @Test
    void g88_whatADamagedFrameOfACheckpointHidOnceStaysAway() throws IOException {
        String longKey = "k".repeat(400);
        harness.layout = new SsdLayout(1 << 20, 1 << 20, 1_024);
        harness.reopen();
        harness.readRecovered();
        for (int i = 0; i < 600; i++) {
            harness.put(longKey + i, 100);
        }
        // Shorter files begin with a checkpoint of what stays, whether or not the one before was whole when it was
        // killed.
        harness.layout = new SsdLayout((1 << 20) - 8_192, (1 << 20) - 8_192, 1_000);
        harness.reopen();
        assertThat(harness.readRecovered()).hasSize(600);
        harness.ssd.close();
        String newest = newest("checkpoint-0", "checkpoint-1");
        byte right = at(newest, 4_096 + 100_000);
        patch(newest, 4_096 + 100_000, (byte) ~right);
        harness.reopen();
        NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
        assertThat(found).as("a frame is hidden").hasSizeBetween(300, 599);
        NavigableMap<String, SsdHarness.Stored> hidden = new TreeMap<>(harness.stored);
        hidden.keySet().removeAll(found.keySet());
        hidden.forEach((key, block) -> harness.discarded.put(key, block.generation() + 1));
        harness.ssd.close();
        patch(newest, 4_096 + 100_000, right);
        harness.reopen();
        assertThat(harness.readRecovered())
                .as("deleted when they were not seen")
                .isEqualTo(found);
    }

    private byte at(String file, int offset) throws IOException {
        return Files.readAllBytes(dir.resolve(file))[offset];
    }

    @Test
    void g88_flippedBytesInTheIndexNeverBringBackWhatWasDiscarded() throws IOException {
        Random random = new Random(6);
        for (int round = 0; round < 30; round++) {
            churn(random, 60);
            harness.ssd.close();
            String file = List.of("journal-0", "journal-1", "checkpoint-0", "checkpoint-1")
                    .get(random.nextInt(4));
            for (int i = 0; i < 20; i++) {
                patch(file, 4096 + random.nextInt(12 << 10), (byte) random.nextInt());
            }
            harness.reopen();
            NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
            harness.stored.clear();
            harness.stored.putAll(found);
        }
    }

    /** Files have their size from the start: no kill leaves a shorter one, and what is missing may be the end of a block. */
    @Test
    void g88_aJournalThatWasCutShortNeverBringsBackWhatWasDiscarded() throws IOException {
        Random random = new Random(7);
        int dropped = 0;
        for (int round = 0; round < 30; round++) {
            churn(random, 60);
            harness.ssd.close();
            Path journal = dir.resolve("journal-" + random.nextInt(2));
            try (FileChannel file = FileChannel.open(journal, StandardOpenOption.WRITE)) {
                file.truncate(random.nextInt((int) file.size()));
            }
            int before = harness.stored.size();
            harness.reopen();
            NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
            dropped += before - found.size();
            harness.stored.clear();
            harness.stored.putAll(found);
        }
        assertThat(dropped).isPositive();
    }

    @Test
    void g88_withoutTheJournalOfItsBlocksADirectoryBeginsEmpty() throws IOException {
        harness.put("k", 5000);
        harness.ssd.close();
        for (String file : List.of("journal-0", "journal-1", "checkpoint-0", "checkpoint-1")) {
            Files.deleteIfExists(dir.resolve(file));
        }
        harness.reopen();
        assertThat(harness.readRecovered()).isEmpty();
        harness.stored.clear();
        assertThat(harness.put("k", 6000)).isTrue();
    }

    @Test
    void freshDiscardsEverything() throws IOException {
        harness.put("k", 100);
        harness.ssd.close();
        SsdMedium fresh = SsdMedium.open(
                NativeSys.INSTANCE,
                SsdOptions.of("ssd0", dir, SsdOptions.CAPACITY_BYTES_MIN).withFresh(),
                SsdHarness.LAYOUT);
        assertThat(fresh.ledger().usedBytes()).isZero();
        fresh.close();
    }

    @Test
    void g115_aSecondOwnerIsKeptOut() {
        assertThatThrownBy(() -> SsdMedium.open(
                        NativeSys.INSTANCE,
                        SsdOptions.of("ssd1", dir, SsdOptions.CAPACITY_BYTES_MIN),
                        SsdHarness.LAYOUT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use by this process already");
    }

    @Test
    void g89_aSmallerCapacityKeepsTheYoungestWhereverTheyLieAndGivesTheRestBack() throws IOException {
        for (int i = 0; i < 50; i++) {
            harness.put("key-" + (100 + i), 4 * 4096);
        }
        NavigableMap<String, SsdHarness.Stored> youngest = new TreeMap<>(harness.stored.tailMap("key-125"));
        harness.layout = new SsdLayout(24 << 10, 64 << 10, 100);
        harness.reopen();
        assertThat(harness.ssd.ledger().capacityBytes()).isEqualTo(100 * 4096);
        assertThat(harness.readRecovered()).isEqualTo(youngest);
        await().untilAsserted(() -> assertThat(slabBlocks()).isLessThanOrEqualTo(100 * 4096));
        harness.stored.clear();
        harness.stored.putAll(youngest);
        assertThat(harness.put("new", 4096)).as("it is full").isFalse();
        churn(new Random(89), 100);
        assertThat(slabBlocks()).isLessThanOrEqualTo(100 * 4096);
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        harness.reopen();
        assertThat(harness.readRecovered()).containsAllEntriesOf(before);
        harness.layout = SsdHarness.LAYOUT;
        harness.reopen();
        assertThat(harness.ssd.ledger().capacityBytes()).isEqualTo(SsdHarness.PAGES * 4096);
        assertThat(harness.readRecovered()).containsAllEntriesOf(before);
    }

    private long slabBlocks() throws IOException {
        return NativeSys.INSTANCE
                .statx(Sys.AT_FDCWD, dir.resolve("slab").toString(), 0)
                .allocatedBytes();
    }

    @Test
    void g89_smallerFilesOfRecordsLoseNoBlockThatStays() throws IOException {
        churn(new Random(9), 400);
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        harness.layout = new SsdLayout(12 << 10, 32 << 10, SsdHarness.PAGES);
        for (int round = 0; round < 3; round++) {
            harness.reopen();
            assertThat(harness.readRecovered()).containsAllEntriesOf(before);
        }
        for (String file : List.of("journal-0", "journal-1")) {
            assertThat(Files.size(dir.resolve(file))).isEqualTo(12 << 10);
        }
        for (String file : List.of("checkpoint-0", "checkpoint-1")) {
            assertThat(Files.size(dir.resolve(file))).isEqualTo(32 << 10);
        }
    }

    @Test
    void g79_pagesOfAnotherSizeStopTheStart() throws IOException {
        harness.put("k", 100);
        harness.ssd.close();
        SsdOptions options = new SsdOptions("ssd0", dir, SsdOptions.CAPACITY_BYTES_MIN, 8192, 1 << 20, false);
        assertThatThrownBy(() -> SsdMedium.open(NativeSys.INSTANCE, options, SsdHarness.LAYOUT))
                .hasMessageContaining("pages of 4096 bytes; expected 8192")
                .hasMessageContaining("--fresh");
    }

    @Test
    void aSlabThatIsGoneHoldsNothing() throws IOException {
        harness.put("k", 5000);
        harness.ssd.close();
        Files.delete(dir.resolve("slab"));
        harness.reopen();
        assertThat(harness.readRecovered()).isEmpty();
        harness.stored.clear();
        assertThat(harness.put("k", 5000)).isTrue();
    }

    @Test
    void aSlabDeletedUnderTheServerServesUntilTheNextStartAndHoldsNothingThen() throws IOException {
        harness.put("before", 70_000);
        Files.delete(dir.resolve("slab"));
        for (SsdHarness.Stored block : harness.stored.values()) {
            assertThat(harness.holds(block)).isTrue();
        }
        harness.reopen();
        assertThat(harness.readRecovered()).isEmpty();
        harness.stored.clear();
        assertThat(harness.put("next", 70_000)).isTrue();
        harness.reopen();
        assertThat(harness.readRecovered()).containsOnlyKeys("next");
    }

    @Test
    void journalsDeletedUnderTheServerBringNothingBackThatWasDiscarded() throws IOException {
        for (int i = 0; i < 50; i++) {
            harness.put("k" + i, 5_000);
        }
        Files.delete(dir.resolve("journal-0"));
        Files.delete(dir.resolve("journal-1"));
        for (int i = 0; i < 50; i += 2) {
            try {
                harness.delete("k" + i);
                harness.put("k" + (i + 1), 6_000);
            } catch (UnavailableException e) {
                assertThat(e).as("seen meanwhile").hasMessageContaining("no longer the file");
            }
        }
        harness.reopen();
        assertThat(harness.readRecovered()).doesNotContainKey("k0");
        harness.stored.clear();
        assertThat(harness.put("k0", 5_000)).isTrue();
    }

    /** The process dies before its keeper has come to the checkpoint of the epoch that has just begun. */
    @Test
    void theNewestJournalLostBeforeItsCheckpointIsMissed() throws IOException {
        for (int i = 0; i < 20; i++) {
            harness.put("k" + i, 5_000);
        }
        harness.reopen();
        assertThat(harness.readRecovered()).hasSize(20);
        harness.sys.inject(
                call -> call.is("pwrite", "checkpoint")
                        && Thread.currentThread().getName().startsWith("tidemark-keep-"),
                new FaultySys.Fail(Errno.EIO));
        harness.delete("k0");
        harness.sys.kill();
        Files.delete(dir.resolve(newest("journal-0", "journal-1")));
        harness.reopen();
        assertThat(harness.readRecovered()).doesNotContainKey("k0");
        harness.stored.clear();
        assertThat(harness.put("k0", 5_000)).isTrue();
    }

    /** The one of two files with the higher epoch. */
    private String newest(String one, String other) throws IOException {
        return epoch(one) > epoch(other) ? one : other;
    }

    private long epoch(String file) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(dir.resolve(file)));
        return header.order(ByteOrder.LITTLE_ENDIAN).getLong(16);
    }

    @Test
    void whatLiesBehindTheEndOfACutSlabIsGone() throws IOException {
        harness.put("a", 4096);
        harness.put("b", 4096);
        harness.ssd.close();
        try (RandomAccessFile slab = new RandomAccessFile(dir.resolve("slab").toFile(), "rw")) {
            slab.setLength(4096);
        }
        harness.reopen();
        assertThat(harness.readRecovered()).containsOnlyKeys("a");
    }
}
