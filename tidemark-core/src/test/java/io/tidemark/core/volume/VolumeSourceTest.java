package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeSourceTest {
    private static final long FILE_BYTES = 16_384;

    private final TestClocks clocks = new TestClocks();
    private final long now = clocks.wallMillis() / 1000;
    private final ReadyBuffer ready = new ReadyBuffer(10_000, ReadyBuffer.LONG_PATHS_MAX, now);
    private final RankTable ranks = new RankTable(path -> Optional.empty());
    private final RankDir rank =
            ranks.at("m_r0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
    private final DeletionGrant grant = new DeletionGrant(clocks);
    private final Outstanding outstanding = new Outstanding();

    private void find(int file) {
        find("abc", file);
    }

    private void find(String bucket, int file) {
        find(bucket, bucket.hashCode(), file);
    }

    private void find(String bucket, long inode, int file) {
        PackedPath path = new PackedPath();
        path.leaf(Name.of(bucket), Name.of("de_g0"), inode);
        Name name = Name.of(String.format("%016x.bin", file));
        path.file(name);
        ready.add(rank, path, name, new Seen(now - 1_000 - file, FILE_BYTES, 0));
    }

    private VolumeSource source() {
        return source(file -> true);
    }

    private VolumeSource source(Predicate<VolumeFile> ours) {
        Thresholds thresholds = new Thresholds(85, 70, 95, 0);
        Governor governor = new Governor(thresholds, grant, TimeUnit.SECONDS.toNanos(1), new JointDeletion(), clocks);
        Census census = new Census();
        census.begin(Set.of(), Set.of(), now);
        RateLimit rate = new RateLimit(clocks, 0);
        VolumeRefusals refusals = new VolumeRefusals(new RecordingListener(), clocks);
        RefusedFiles refused = new RefusedFiles(ready.intake(), new RecordingListener(), clocks);
        Cutoffs cutoffs = new Cutoffs(
                census,
                grant,
                governor,
                ready.intake(),
                refused::bytes,
                new UnreadFolders(text -> {}, clocks),
                0,
                clocks);
        return new VolumeSource(
                ready, ranks, grant, cutoffs, refused, refusals, rate, outstanding, () -> true, () -> ours, 2_000);
    }

    private static List<Offer<VolumeFile>> offers(VolumeSource source, int files) {
        return source.offers(new OfferBudget(Long.MAX_VALUE, files), file -> false);
    }

    @Test
    void aFileFoundAgainWhileItIsKeptForDeletionIsOutstandingOnce() {
        VolumeSource source = source();
        grant.give(3 * FILE_BYTES, 0, TimeUnit.MINUTES.toNanos(1));
        find(1);
        assertThat(offers(source, 1)).hasSize(1);
        find(1);
        assertThat(offers(source, 2))
                .as("the file found again is no second one")
                .hasSize(1);
        find(2);
        VolumeFile second = offers(source, 2).getLast().handle();
        source.settled(offers(source, 2).getFirst().handle());
        source.settled(second);
        find(3);
        assertThat(offers(source, 1)).as("nothing is outstanding any more").hasSize(1);
        assertThat(outstanding.take(() -> 3 * FILE_BYTES, bytes -> {
                    assertThat(bytes).isEqualTo(2 * FILE_BYTES);
                    return List.of();
                }))
                .isEmpty();
    }

    @Test
    void filesOfAShardThatIsAnothersAreLeftToIt() {
        Set<Integer> shards = new HashSet<>(Set.of(0xb, 0xc));
        VolumeSource source = source(file -> shards.contains(file.shard(new FsLayout(3))));
        grant.give(3 * FILE_BYTES, 0, TimeUnit.MINUTES.toNanos(1));
        find(1);
        find(2);
        assertThat(offers(source, 2)).hasSize(2);
        shards.remove(0xc);
        assertThat(offers(source, 2)).isEmpty();
        assertThat(outstanding.take(() -> 3 * FILE_BYTES, bytes -> {
                    assertThat(bytes).as("nothing of them is outstanding").isEqualTo(3 * FILE_BYTES);
                    return List.of();
                }))
                .isEmpty();
    }

    @Test
    void theFirstChunksAreSmallSoThatTheFirstFileGoesSoon() {
        VolumeSource source = source();
        int files = 9_000;
        grant.give(files * FILE_BYTES, 0, TimeUnit.MINUTES.toNanos(1));
        IntStream.range(0, files).forEach(this::find);
        offers(source, 1);
        assertThat(ready.size()).isEqualTo(files - 256);
        offers(source, 257);
        assertThat(ready.size()).isEqualTo(files - 1_024);
        offers(source, 1_025);
        assertThat(ready.size()).isEqualTo(files - 2_000);
    }

    @Test
    void whatMayTurnOutNotToBeNeededIsChosenLast() {
        IntStream.range(0, 4).forEach(file -> find("000", file));
        IntStream.range(4, 64).forEach(file -> find("fff", file));
        List<VolumeFile> first = ready.poll(ranks, now, 64 * FILE_BYTES, 60, 64);
        assertThat(first)
                .as("the coldest, though another directory comes first")
                .extracting(file -> file.bucket().toString())
                .containsOnly("fff")
                .hasSize(60);
        assertThat(ready.poll(ranks, now, 4 * FILE_BYTES, 4, 4)).hasSize(4);
    }

    @Test
    void directoriesAreVisitedInTheOrderOfTheirInodes() {
        for (int file = 0; file < 2; file++) {
            find("aaa", 0x3_8000_0003L, file);
            find("bbb", 1, file + 2);
            find("ccc", 0xffffffL, file + 4);
        }
        assertThat(ready.poll(ranks, now, 8 * FILE_BYTES, 6, 8))
                .extracting(file -> file.bucket().toString())
                .as("by the low 32 bits")
                .containsExactly("bbb", "bbb", "ccc", "ccc", "aaa", "aaa");
    }

    /** What listings tell of directories on file systems without inodes of their own: nothing, unknown, always the same. */
    @ParameterizedTest
    @ValueSource(longs = {0, 0xffff_ffffL, -1, 77})
    void filesOfADirectoryComeTogetherWhereItsInodeSaysNothing(long inode) {
        int directories = 64;
        PackedPath path = new PackedPath();
        for (int file = 0; file < 4 * directories; file++) {
            Name name = Name.of(String.format("%016x.bin", file));
            path.leaf(Name.of(String.format("%03x", file % directories)), Name.of("de_g0"), inode);
            path.file(name);
            ready.add(rank, path, name, new Seen(now - 1_000 - file, FILE_BYTES, 0));
        }
        List<String> visits = new ArrayList<>();
        for (VolumeFile file : ready.poll(ranks, now, 1_000 * FILE_BYTES, 4 * directories, 4 * directories)) {
            String directory = file.bucket().toString();
            if (visits.isEmpty() || !visits.getLast().equals(directory)) {
                visits.add(directory);
            }
        }
        assertThat(visits).as("one visit each, but for the first one found").hasSizeLessThanOrEqualTo(directories + 2);
    }

    @Test
    void nothingIsOfferedWithoutAGrant() {
        find(1);
        assertThat(offers(source(), 10)).isEmpty();
    }
}
