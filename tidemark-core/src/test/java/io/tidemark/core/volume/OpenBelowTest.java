package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.medium.NoOpenat2;
import io.tidemark.core.medium.OpenDescriptors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Opening below a directory stays inside of it, on its device, whether the kernel does the walk or we do. */
class OpenBelowTest {
    private static final int EXDEV = 18;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path folder;

    static Stream<DirectoryCalls> both() {
        return Stream.of(new NativeDirectoryCalls(), NoOpenat2.calls());
    }

    private static int open(DirectoryCalls calls, Path root, String path) {
        try (Arena arena = Arena.ofConfined()) {
            int base = calls.openRoot(arena.allocateFrom(root.toString()));
            assertThat(base).isNotNegative();
            int opened = calls.openBelow(base, arena.allocateFrom(path), 0);
            calls.close(base);
            if (opened >= 0) {
                calls.close(opened);
            }
            return opened;
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void noLinkIsFollowedNothingIsLeftAndNothingStaysOpen(DirectoryCalls calls) throws IOException {
        Files.createDirectories(folder.resolve("a/b/c"));
        Files.createDirectories(folder.resolve("outside/c"));
        Files.createFile(folder.resolve("a/file"));
        Files.createSymbolicLink(folder.resolve("a/link"), folder.resolve("outside"));
        Path root = folder.resolve("a");
        for (String path : List.of("b", "b/c", "./b")) {
            assertThat(open(calls, root, path)).as(path).isNotNegative();
        }
        for (String path : List.of("link", "link/c", "..", "b/../..", "nothing", "b/nothing", "file", "file/x")) {
            assertThat(open(calls, root, path)).as(path).isNegative();
        }
        assertThat(open(calls, root, "y".repeat(255))).isEqualTo(-Errno.ENOENT);
        assertThat(OpenDescriptors.below(folder)).isZero();
    }

    @Test
    void whatIsMountedInsideIsAnotherDevice() throws Exception {
        Files.createDirectories(folder.resolve("a"));
        try (MountedVolume volume = MountedVolume.mount(folder.resolve("a"), MountedVolume.Kind.TMPFS, "relatime")) {
            Files.createDirectories(volume.path().resolve("inner"));
            for (DirectoryCalls calls : both().toList()) {
                assertThat(open(calls, folder, "a/mount")).isEqualTo(-EXDEV);
                assertThat(open(calls, folder, "a/mount/inner")).isEqualTo(-EXDEV);
                assertThat(open(calls, volume.path(), "inner")).isNotNegative();
                assertThat(OpenDescriptors.below(folder)).isZero();
            }
        }
    }
}
