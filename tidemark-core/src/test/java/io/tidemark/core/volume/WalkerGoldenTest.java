package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.medium.NoOpenat2;
import io.tidemark.core.medium.OpenDescriptors;
import io.tidemark.testing.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What walks find, against recorded walks of the evictor that this one replaces, and its own acceptance tests. */
class WalkerGoldenTest {
    private static final Set<Integer> ALL = IntStream.range(0, 16).boxed().collect(Collectors.toSet());

    private final NativeDirectoryCalls calls = new NativeDirectoryCalls();

    @TempDir
    private Path folder;

    @Test
    void theLooseLayoutFindsTheGoldenListWithoutWhatIsReachedThroughLinks() throws Exception {
        Path cache = nastyVolume();
        Set<String> expected = new TreeSet<>(golden("yielded"));
        expected.removeIf(path -> path.endsWith("/filelink.bin") || path.contains("/bad/"));
        Walked walked = new Walked(calls, cache, new LooseFsLayout(3), ALL);
        assertThat(walked.blocks).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theStrictLayoutFindsOnlyWhatAWriterMakes() throws Exception {
        Path cache = nastyVolume();
        Walked walked = new Walked(calls, cache, new FsLayout(3), ALL);
        assertThat(walked.blocks).hasSize(1).allMatch(path -> path.endsWith("abc/de_g0/0123456789abcdef.bin"));
        assertThat(walked.walk.ours()).isTrue();
    }

    @Test
    void withoutOpenat2TheSameIsFoundAndNothingStaysOpen() throws Exception {
        Path cache = nastyVolume();
        for (Layout layout : List.of(new LooseFsLayout(3), new FsLayout(3))) {
            assertThat(new Walked(NoOpenat2.calls(), cache, layout, ALL).blocks)
                    .isEqualTo(new Walked(calls, cache, layout, ALL).blocks);
        }
        assertThat(OpenDescriptors.below(cache)).isZero();
    }

    /** Runs the generator of odd volumes; paths come out relative to the root, as bytes. */
    private Path nastyVolume() throws IOException, InterruptedException {
        Path script = SharedData.require("tools/make_volume.py");
        Process made = new ProcessBuilder(
                        "python3", script.toString(), "--root", folder.toString(), "--files", "0", "--nasty")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(made.waitFor()).isZero();
        return folder.resolve("kv/model-cache/models");
    }

    /** A list of strings of the golden file, without {@code models/} in front. */
    private static List<String> golden(String key) throws IOException {
        String json = Files.readString(SharedData.require("golden/volume/walker_nasty.json"));
        int start = json.indexOf('[', json.indexOf('"' + key + '"'));
        Matcher strings =
                Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json.substring(start, json.indexOf(']', start)));
        return strings.results()
                .map(found -> found.group(1)
                        .replace("models/", "")
                        .replace("\\n", "\n")
                        .replace("\\\"", "\""))
                .toList();
    }

    @Test
    void upstreamTree_yieldsBlocksOfAllRanksAndNeitherConfigsNorBucketsThatAreNoNumbers() throws Exception {
        CacheFiles cache = new CacheFiles(folder);
        cache.model("model_abc", "m");
        cache.file("model_abc_r0/abc/de_g0/block1.bin", Duration.ofHours(1));
        cache.file("model_abc_r0/abc/de_g0/block2.bin", Duration.ofHours(1));
        cache.file("model_abc_r0/000/00_g0/other.bin", Duration.ofHours(1));
        cache.file("model_abc_r1/abc/de_g0/rank1.bin", Duration.ofHours(1));
        cache.file("model_abc_r0/not_hex/de_g0/skip.bin", Duration.ofHours(1));
        cache.file("nested/deep/model_abc_r2/abc/de_g0/nested.bin", Duration.ofHours(1));
        Layout loose = new LooseFsLayout(3);
        assertThat(names(ALL, loose)).containsExactlyInAnyOrder("block1", "block2", "other", "rank1", "nested");
        assertThat(names(Set.of(12), loose)).containsExactlyInAnyOrder("block1", "block2", "rank1", "nested");
        assertThat(names(Set.of(0), loose)).containsExactly("other");
    }

    private List<String> names(Set<Integer> digits, Layout layout) throws InterruptedException {
        return new Walked(calls, folder, layout, digits)
                .blocks.stream().map(path -> path.replaceAll(".*/|\\.bin$", "")).toList();
    }

    @Test
    void aMissingRootYieldsNothing() throws Exception {
        Walked walked = new Walked(calls, folder.resolve("missing"), new FsLayout(3), ALL);
        assertThat(walked.blocks).isEmpty();
        assertThat(walked.walk.problem()).contains("is not there");
    }

    @Test
    void everyDirectoryIsOpenedOnceForItsListingAndOnceForItsShard() throws Exception {
        CacheFiles cache = new CacheFiles(folder);
        for (int i = 0; i < 64; i++) {
            cache.block("m_r0", i, Duration.ofHours(1));
        }
        TwinCalls counting = new TwinCalls(1 << 30, 0);
        Walked first = new Walked(counting, folder, new FsLayout(3), ALL);
        assertThat(first.blocks).hasSize(64);
        long perShard = 2L * 16;
        long samples = 2L * 64 + 2L * 16;
        long weights = 1;
        assertThat(counting.directoriesOpened.get()).isLessThanOrEqualTo(3 + weights + perShard + 2L * 64 + samples);
    }

    @Test
    void emptyLeavesBucketsAndRankDirectoriesAreOffered() throws Exception {
        CacheFiles cache = new CacheFiles(folder);
        cache.block("m_r0", 1, Duration.ofHours(1));
        for (String empty : List.of("m_r0/aaa/00_g0", "m_r0/aab", "m_r7")) {
            Files.createDirectories(folder.resolve(empty));
        }
        Walked walked = new Walked(calls, folder, new FsLayout(3), ALL);
        List<String> offered = new ArrayList<>();
        walked.folders.poll().ifPresent(one -> offered.add(one.rank() + "/" + one.path()));
        walked.folders.poll().ifPresent(one -> offered.add(one.rank() + "/" + one.path()));
        walked.folders.poll().ifPresent(one -> offered.add(one.rank() + "/" + one.path()));
        assertThat(offered).containsExactlyInAnyOrder("m_r0/aaa/00_g0", "m_r0/aab", "m_r7/");
    }
}
