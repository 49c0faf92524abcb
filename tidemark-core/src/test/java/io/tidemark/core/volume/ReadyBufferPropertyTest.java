package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random sequences against a naive model; a failing one is shrunk by leaving operations out. */
class ReadyBufferPropertyTest {
    private static final long NOW = 1_800_000_000L;
    private static final int FILES = 600;
    private static final int OPERATIONS = 3_000;
    private static final int ROUNDS = 20;

    private record Operation(int kind, int file, long recency, int count) {}

    @Test
    void behavesAsASetOfTheColdestFilesEachOnce() {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = 77_000L + round;
            List<Operation> operations = random(seed);
            Optional<String> failure = failure(operations);
            if (failure.isPresent()) {
                throw new AssertionError("seed " + seed + ": " + failure.get() + "\n" + shrunk(operations));
            }
        }
    }

    @Test
    void whatAHundredMillionFilesHaveOfAnHourIsInOrderToo() {
        int files = 300_000;
        int secondsAll = 3_600;
        long oldest = NOW - 30L * 86_400;
        ReadyBuffer buffer = new ReadyBuffer(files / 2, ReadyBuffer.LONG_PATHS_MAX, NOW);
        RankTable ranks = new RankTable(path -> Optional.empty());
        RankDir rank = ranks.at("m_r0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        List<Integer> order = new ArrayList<>(IntStream.range(0, files).boxed().toList());
        Collections.shuffle(order, new Random(77));
        Map<String, Long> unused = new HashMap<>();
        for (int file : order) {
            add(buffer, unused, rank, path(3 * file + 1), oldest + (long) file * secondsAll / files);
        }
        List<VolumeFile> taken = new ArrayList<>();
        while (taken.size() < files / 3) {
            taken.addAll(buffer.poll(ranks, NOW, Long.MAX_VALUE, 10_000, 0));
        }
        long youngest = oldest + (long) taken.size() * secondsAll / files;
        assertThat(taken.stream()
                        .filter(file -> file.recencySeconds() <= youngest)
                        .count())
                .as("of %d", taken.size())
                .isGreaterThan(taken.size() - taken.size() / 100);
    }

    private static List<Operation> random(long seed) {
        Random random = new Random(seed);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < OPERATIONS; i++) {
            int kind = random.nextInt(100) < 90 ? 0 : random.nextInt(10) < 8 ? 1 : 2;
            long age = (long) Math.exp(random.nextDouble() * 16);
            operations.add(new Operation(kind, random.nextInt(FILES), NOW - age, 1 + random.nextInt(40)));
        }
        return operations;
    }

    private static List<Operation> shrunk(List<Operation> failing) {
        List<Operation> best = failing;
        for (int step = Math.max(1, best.size() / 2); step >= 1; step /= 2) {
            for (int from = 0; from + step <= best.size(); ) {
                List<Operation> shorter = new ArrayList<>(best.subList(0, from));
                shorter.addAll(best.subList(from + step, best.size()));
                if (failure(shorter).isPresent()) {
                    best = shorter;
                } else {
                    from += step;
                }
            }
        }
        return best;
    }

    /** Files of three kinds: packed, plain and too long for a slot. */
    private static String path(int file) {
        return switch (file % 3) {
            case 0 -> String.format(Locale.ROOT, "%03x/%02x_g%d/%064x.bin", file, file % 256, file % 7, file);
            case 1 -> "abc/de_g0/" + file + ".bin";
            default -> "abc/de_g0/" + "x".repeat(100) + file + ".bin";
        };
    }

    private static Optional<String> failure(List<Operation> operations) {
        ReadyBuffer buffer = new ReadyBuffer(FILES, ReadyBuffer.LONG_PATHS_MAX, NOW);
        RankTable ranks = new RankTable(path -> Optional.empty());
        RankDir rank = ranks.at("m_r0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        Map<String, Long> model = new HashMap<>();
        for (Operation operation : operations) {
            switch (operation.kind) {
                case 0 -> add(buffer, model, rank, path(operation.file), operation.recency);
                case 1 -> {
                    Optional<String> wrong =
                            wrong(buffer.poll(ranks, NOW, Long.MAX_VALUE, operation.count, 0), model, operation.count);
                    if (wrong.isPresent()) {
                        return wrong;
                    }
                }
                default -> buffer.rebase(NOW + operation.count);
            }
            if (buffer.size() != model.size()) {
                return Optional.of(buffer.size() + " files, expected " + model.size());
            }
        }
        return Optional.empty();
    }

    private static boolean add(ReadyBuffer buffer, Map<String, Long> model, RankDir rank, String path, long recency) {
        int slash = path.lastIndexOf('/');
        PackedPath packed = new PackedPath();
        packed.leaf(
                Name.of(path.substring(0, 3)),
                Name.of(path.substring(4, slash)),
                path.substring(0, slash).hashCode());
        Name name = Name.of(path.substring(slash + 1));
        packed.file(name);
        model.put(path, recency);
        return buffer.add(rank, packed, name, new Seen(recency, 4096, 0));
    }

    /** Takes what was polled out of the model: it has to be the coldest of all, in files and in uses. */
    private static Optional<String> wrong(List<VolumeFile> taken, Map<String, Long> model, int count) {
        List<Long> coldest = model.values().stream().sorted().limit(count).toList();
        List<Long> got = taken.stream().map(VolumeFile::recencySeconds).sorted().toList();
        if (!got.equals(coldest)) {
            return Optional.of("took " + got + ", expected " + coldest);
        }
        for (VolumeFile file : taken) {
            String path = new String(file.path(), StandardCharsets.UTF_8);
            Long used = model.remove(path);
            if (used == null || used != file.recencySeconds()) {
                return Optional.of(path + " was not there with that use");
            }
        }
        return Optional.empty();
    }

    /** Two thousand files of 48 directories, uses at random; those polled are within the coldest, however early it ends. */
    @Test
    void whateverEndsAnEvictionFewColderFilesStayThanWereStillNeeded() {
        ReadyBuffer buffer = new ReadyBuffer(10_000, ReadyBuffer.LONG_PATHS_MAX, NOW);
        RankTable ranks = new RankTable(path -> Optional.empty());
        List<Long> uses = twoThousand(buffer, ranks);
        Set<Long> gone = new HashSet<>();
        List<String> visits = new ArrayList<>();
        int needed = 1_000;
        while (needed > 0) {
            int files = Math.max(10, needed / 8);
            for (VolumeFile file : buffer.poll(ranks, NOW, needed * 4_096L, files, 8 * files)) {
                gone.add(file.recencySeconds());
                String directory = new String(file.directory(), StandardCharsets.UTF_8);
                if (visits.isEmpty() || !visits.getLast().equals(directory)) {
                    visits.add(directory);
                }
            }
            long hottest = gone.stream().mapToLong(use -> use).max().orElseThrow();
            long colderStay = uses.stream()
                    .filter(use -> use < hottest && !gone.contains(use))
                    .count();
            assertThat(colderStay).isLessThanOrEqualTo(needed * 15 / 16);
            needed = 1_000 - gone.size();
        }
        assertThat(gone)
                .isEqualTo(new HashSet<>(uses.stream().sorted().limit(1_000).toList()));
        assertThat(visits).as("directories are visited seldom").hasSizeLessThan(150);
    }

    /** Fills the buffer; the uses, each another. */
    private static List<Long> twoThousand(ReadyBuffer buffer, RankTable ranks) {
        RankDir rank = ranks.at("m_r0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        Map<String, Long> all = new HashMap<>();
        List<Integer> ages = new ArrayList<>(IntStream.range(0, 2_000).boxed().toList());
        Collections.shuffle(ages, new Random(5));
        for (int file = 0; file < 2_000; file++) {
            String path = String.format(Locale.ROOT, "%03x/%02x_g0/%064x.bin", file % 16, file % 3, file);
            add(buffer, all, rank, path, NOW - 100_000 - 50L * ages.get(file));
        }
        return List.copyOf(all.values());
    }

    @Test
    void whenFullTheHottestMakesRoomForAColderOneOnly() {
        ReadyBuffer buffer = new ReadyBuffer(100, ReadyBuffer.LONG_PATHS_MAX, NOW);
        RankTable ranks = new RankTable(path -> Optional.empty());
        RankDir rank = ranks.at("m_r0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        Map<String, Long> all = new HashMap<>();
        List<Integer> order = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
        Collections.shuffle(order, new Random(3));
        for (int file : order) {
            add(buffer, all, rank, path(file), NOW - (long) Math.pow(1.02, file));
        }
        assertThat(buffer.size()).isEqualTo(100);
        buffer.intake().walkEnds(true);
        long gapless = buffer.intake().gaplessSeconds();
        List<Long> kept = buffer.poll(ranks, NOW, Long.MAX_VALUE, 100, 0).stream()
                .map(VolumeFile::recencySeconds)
                .sorted()
                .toList();
        assertThat(kept).isEqualTo(all.values().stream().sorted().limit(100).toList());
        assertThat(all.values().stream().filter(use -> use <= gapless).sorted().toList())
                .as("none of them is missing, and there are nearly as many as there is room for")
                .isEqualTo(kept.stream().filter(use -> use <= gapless).toList())
                .hasSizeGreaterThan(90);
    }

    /** Two of three are short: they take nothing of the room for long ones, and lose nothing to it. */
    @Test
    void whenThereIsRoomForNoMoreLongPathsTheHottestOfThemMakesRoomForAColderOneOnly() {
        ReadyBuffer buffer = new ReadyBuffer(FILES, 30, NOW);
        RankTable ranks = new RankTable(path -> Optional.empty());
        RankDir rank = ranks.at("m_r0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        Map<String, Long> all = new HashMap<>();
        List<Integer> order = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
        Collections.shuffle(order, new Random(11));
        for (int file : order) {
            add(buffer, all, rank, path(file), NOW - (long) Math.pow(1.02, file));
        }
        buffer.rebase(NOW + 1_000);
        for (int file : order) {
            add(buffer, all, rank, path(file), NOW - (long) Math.pow(1.02, file));
        }
        buffer.intake().walkEnds(true);
        List<Long> coldestLong = uses(all, true).stream().limit(30).toList();
        assertThat(buffer.intake().gaplessSeconds())
                .isBetween(coldestLong.getLast() - 1, uses(all, true).get(30));
        assertThat(buffer.intake().admits(NOW)).as("the short ones").isTrue();
        assertThat(buffer.poll(ranks, NOW, Long.MAX_VALUE, FILES, 0))
                .extracting(VolumeFile::recencySeconds)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(uses(all, false).stream(), coldestLong.stream())
                        .toList());
    }

    /** Last uses of those with long paths, or of the others, coldest first. */
    private static List<Long> uses(Map<String, Long> all, boolean isLong) {
        return all.entrySet().stream()
                .filter(file -> file.getKey().length() > 100 == isLong)
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
    }

    /** The longest paths that lie in their slots, which are those of shfs with keys of 32 and 34 digits. */
    @Test
    void pathsOfUpTo40BytesAreNotCountedAmongTheLongOnes() {
        int files = ReadyBuffer.LONG_PATHS_MAX + 2;
        ReadyBuffer buffer = new ReadyBuffer(files, ReadyBuffer.LONG_PATHS_MAX, NOW);
        RankTable ranks = new RankTable(path -> Optional.empty());
        RankDir rank = ranks.at("c0".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        PackedPath path = new PackedPath();
        for (int file = 0; file < files; file++) {
            Name name = Name.of(String.format(Locale.ROOT, file % 2 == 0 ? "%032x" : "%034x", file));
            path.leaf(Name.of("ab"), Name.of("cd"), 100 + file % 16);
            path.file(name);
            buffer.add(rank, path, name, new Seen(NOW - 2_000_000 - file / 16, 4_096, 0));
        }
        assertThat(buffer.size()).isEqualTo(files);
        assertThat(buffer.poll(ranks, NOW, Long.MAX_VALUE, 1, 0))
                .extracting(file -> file.rank() + "/" + new String(file.path(), StandardCharsets.UTF_8))
                .containsExactly(String.format(Locale.ROOT, "c0/ab/cd/%032x", files - 2));
    }
}
