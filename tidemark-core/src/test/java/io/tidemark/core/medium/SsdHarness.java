package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * An SSD medium under test with what its user must be able to rely on: the keys that were answered as stored, and at
 * least which generation a key must have. Content follows from the generation.
 */
final class SsdHarness {
    static final int PAGES = 256;
    /** Small files, so that epochs change every few hundred records. */
    static final SsdLayout LAYOUT = new SsdLayout(24 << 10, 64 << 10, PAGES);

    /** A block that is there. */
    record Stored(long copy, long generation, int bytes) {}

    final Path dir;
    final NavigableMap<String, Stored> stored = new TreeMap<>();
    /** Younger than every generation that was discarded, by key. */
    final NavigableMap<String, Long> discarded = new TreeMap<>();

    SsdLayout layout = LAYOUT;
    FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    SsdMedium ssd;
    long generation;

    SsdHarness(Path dir) throws IOException {
        this.dir = dir;
        ssd = SsdMedium.open(sys, options(), layout);
    }

    private SsdOptions options() {
        return SsdOptions.of("ssd0", dir, SsdOptions.CAPACITY_BYTES_MIN);
    }

    /** Puts a value as the pool does; false: no space. */
    boolean put(String key, int bytes) throws IOException {
        if (!(ssd.allocate(bytes) instanceof Allocation.Allocated(long copy))) {
            return false;
        }
        long mine = ++generation;
        try (Arena arena = Arena.ofConfined()) {
            ssd.write(copy, 0, content(arena, mine, bytes));
            ssd.seal(copy, key.getBytes(StandardCharsets.ISO_8859_1), mine);
        } catch (IOException e) {
            ssd.abort(copy);
            throw e;
        }
        publish(key, new Stored(copy, mine, bytes));
        return true;
    }

    /** Puts several values as a joint demotion does, in one write and one flush of their records; false: no space. */
    boolean putTogether(NavigableMap<String, Integer> bytesOfKeys) throws IOException {
        List<WholeBlock.Size> sizes = bytesOfKeys.entrySet().stream()
                .map(block ->
                        new WholeBlock.Size(block.getValue(), block.getKey().length()))
                .toList();
        long[] copies = ssd.allocateTogether(sizes);
        if (copies.length == 0) {
            return false;
        }
        Map<String, Stored> made = new TreeMap<>();
        List<WholeBlock> blocks = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (var block : bytesOfKeys.entrySet()) {
                Stored now = new Stored(copies[blocks.size()], ++generation, block.getValue());
                made.put(block.getKey(), now);
                blocks.add(new WholeBlock(
                        now.copy,
                        List.of(content(arena, now.generation, now.bytes)),
                        block.getKey().getBytes(StandardCharsets.ISO_8859_1),
                        now.generation));
            }
            ssd.writeTogether(blocks);
        }
        for (var block : made.entrySet()) {
            publish(block.getKey(), block.getValue());
        }
        return true;
    }

    private void publish(String key, Stored now) throws IOException {
        assertThat(ssd.commit(now.copy, key.getBytes(StandardCharsets.ISO_8859_1), now.generation))
                .isTrue();
        Stored old = stored.get(key);
        if (old != null) {
            ssd.copies().doom(old.copy);
            ssd.awaitEnds(ssd.noteEnd(old.copy), 5_000);
            ssd.free(old.copy);
        }
        stored.put(key, now);
        discarded.put(key, now.generation);
    }

    /** Handle of a key that is there. */
    long copyOf(String key) {
        return Objects.requireNonNull(stored.get(key), key).copy;
    }

    /** Generation of a key that is there. */
    long generationOf(String key) {
        return Objects.requireNonNull(stored.get(key), key).generation;
    }

    /** Deletes a key for good. */
    void delete(String key) throws IOException {
        Stored old = stored.get(key);
        if (old != null) {
            ssd.copies().doom(old.copy);
            stored.remove(key);
            ssd.awaitEnds(ssd.noteEnd(old.copy), 5_000);
            discarded.put(key, old.generation + 1);
            ssd.free(old.copy);
        }
    }

    /** Evicts a key: it may come back after a kill. */
    void evict(String key) {
        Stored old = stored.remove(key);
        if (old != null) {
            assertThat(ssd.free(old.copy).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
        }
    }

    /** Dies, and dies again in the middle of the next start, if the calls of that one say so. */
    void startAndDie(FaultySys next) throws IOException {
        die();
        sys = next;
        try {
            ssd = SsdMedium.open(sys, options(), layout);
        } catch (FaultySys.Killed e) {
            assertThat(sys.isKilled()).isTrue();
        }
    }

    /** Opens the directory again, as the next process does, and takes over what it finds. */
    void reopen() throws IOException {
        die();
        sys = new FaultySys(NativeSys.INSTANCE);
        ssd = SsdMedium.open(sys, options(), layout);
    }

    /** Dies, if it has not yet: a process that was killed has no threads any more. */
    void die() {
        if (!sys.isKilled()) {
            sys.kill();
        }
        try {
            ssd.close();
        } catch (FaultySys.Killed e) {
            assertThat(sys.isKilled()).isTrue();
        }
    }

    /** What was found, the youngest of each key; the others are freed. */
    NavigableMap<String, Stored> recovered() {
        TreeMap<String, Stored> found = new TreeMap<>();
        ssd.recovered((copy, key, gen, bytes) -> {
            String name = new String(key, StandardCharsets.ISO_8859_1);
            Stored now = new Stored(copy, gen, (int) bytes);
            Stored other = found.get(name);
            if (other == null || other.generation < gen) {
                found.put(name, now);
            }
            if (other != null) {
                ssd.free(Math.min(other.generation, gen) == gen ? copy : other.copy);
            }
        });
        return found;
    }

    /** Reads everything that was found: right bytes, nothing that was discarded; answers it as what is stored now. */
    NavigableMap<String, Stored> readRecovered() throws IOException {
        NavigableMap<String, Stored> found = recovered();
        for (var entry : found.entrySet()) {
            Stored block = entry.getValue();
            assertThat(block.generation)
                    .as("%s was discarded", entry.getKey())
                    .isGreaterThanOrEqualTo(discarded.getOrDefault(entry.getKey(), 0L));
            assertThat(holds(block)).as("bytes of %s", entry.getKey()).isTrue();
            generation = Math.max(generation, block.generation);
        }
        long bytes = found.values().stream()
                .mapToLong(block -> ssd.copies().allocatedBytes(block.copy))
                .sum();
        assertThat(ssd.ledger().snapshot().used()).isEqualTo(bytes);
        return found;
    }

    /** Whether the block's bytes are those of its generation. */
    boolean holds(Stored block) throws IOException {
        assertThat(ssd.copies().pin(block.copy)).isTrue();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment read = arena.allocate(block.bytes, 4096);
            ssd.read(block.copy, 0, read);
            return read.mismatch(content(arena, block.generation, block.bytes)) == -1;
        } finally {
            ssd.copies().unpin(block.copy);
        }
    }

    static MemorySegment content(Arena arena, long generation, int bytes) {
        MemorySegment segment = arena.allocate(bytes, 4096);
        byte[] content = new byte[bytes];
        new Random(generation).nextBytes(content);
        MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes);
        return segment;
    }
}
