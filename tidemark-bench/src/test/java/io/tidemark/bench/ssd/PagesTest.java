package io.tidemark.bench.ssd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PagesTest {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"always [madvise] never, true", "[always] madvise never, true", "always madvise [never], false"})
    void hugePagesAreThereForAskingAsTheKernelIsSet(String said, boolean expected) throws Exception {
        Path setting = Files.writeString(directory.resolve("enabled"), said + "\n");
        assertThat(Pages.hugeForAsking(setting)).isEqualTo(expected);
    }

    @Test
    void aKernelThatKnowsNoHugePagesHasNone() {
        assertThat(Pages.hugeForAsking(directory.resolve("enabled"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Pages.class)
    void blocksGoIntoAndOutOfBothKinds(Pages pages) throws Exception {
        for (boolean read : new boolean[] {true, false}) {
            try (SsdMedium ssd = Tiers.ssd(NativeSys.INSTANCE, directory.resolve("ssd"), 32 * MIB, true);
                    MediumSide side = new MediumSide(ssd, read, BLOCK_BYTES, 16 * MIB, 32 * MIB)) {
                Side ours = side.in(pages);
                assertThat(ours.measure()).isPositive();
                assertThat(ours.name()).startsWith(read ? "read" : "write").endsWith(pages.text());
            }
        }
    }

    @Test
    void hugePagesAreAskedForInARangeThatHoldsSome() throws Exception {
        assumeTrue(Pages.hugeForAsking());
        MemorySegment buffer = MediumSide.buffers(Pages.HUGE, 64 << 10).getFirst();
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        int at = 0;
        while (!holds(lines.get(at), buffer.address())) {
            at++;
        }
        List<String> mapping = lines.subList(at, lines.size());
        assertThat(value(mapping, "Size:").replace(" kB", "")).asLong().isGreaterThanOrEqualTo(2 * KIB);
        assertThat(value(mapping, "VmFlags:")).contains("hg");
    }

    /** Whether this is the first line of the mapping with the address: {@code from-to ...} in hexadecimal digits. */
    private static boolean holds(String line, long address) {
        Matcher range = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .*").matcher(line);
        return range.matches()
                && Long.parseUnsignedLong(range.group(1), 16) <= address
                && address < Long.parseUnsignedLong(range.group(2), 16);
    }

    private static String value(List<String> mapping, String name) {
        return mapping.stream()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow()
                .substring(name.length())
                .trim();
    }

    @Test
    void fioThatCannotIsAnAnswerAndNoFailure() throws Exception {
        assertThat(FioSide.hasHugePages(directory.resolve("missing/fio"), BLOCK_BYTES))
                .isFalse();
    }
}
