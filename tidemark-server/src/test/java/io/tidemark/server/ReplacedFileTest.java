package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is there whole or not at all, and nothing else is left. */
class ReplacedFileTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void g84_aTargetThatCannotBeReplacedIsAFailureAndLeavesNoTemporaryFile() throws Exception {
        Files.createDirectories(folder.resolve("target/full"));
        assertThatThrownBy(() -> ReplacedFile.write(NativeSys.INSTANCE, folder.resolve("target"), "text"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("target");
        assertThat(names()).containsExactly("target");
    }

    @Test
    void g84_aTemporaryFileThatCannotBeWrittenIsAFailureAndLeavesTheOldText() throws Exception {
        Path file = folder.resolve("file");
        ReplacedFile.write(NativeSys.INSTANCE, file, "old");
        Files.createDirectories(folder.resolve("file.tmp/full"));
        assertThatThrownBy(() -> ReplacedFile.writeDurably(NativeSys.INSTANCE, file, "new"))
                .isInstanceOf(IOException.class);
        assertThat(file).hasContent("old");
    }

    @Test
    void g84_aLeftoverOfAKillIsWrittenOver() throws Exception {
        Path file = folder.resolve("file");
        Files.writeString(folder.resolve("file.tmp"), "a torn text that is longer than the new one");
        ReplacedFile.writeDurably(NativeSys.INSTANCE, file, "new");
        assertThat(file).hasContent("new");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void g84_whoTakesTheTemporaryFileAwayMakesItAFailureOrFindsItStored() throws Exception {
        Path file = folder.resolve("file");
        Path temporary = folder.resolve("file.tmp");
        ReplacedFile.write(NativeSys.INSTANCE, file, "0");
        AtomicBoolean done = new AtomicBoolean();
        Thread thief = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                try {
                    Files.deleteIfExists(temporary);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        String stored = "0";
        for (int i = 1; i <= 500; i++) {
            try {
                ReplacedFile.write(NativeSys.INSTANCE, file, Integer.toString(i));
                stored = Integer.toString(i);
            } catch (IOException _) {
                // the text before it stays
            }
            assertThat(file).hasContent(stored);
        }
        done.set(true);
        thief.join();
        assertThat(names()).containsExactly("file");
    }

    /** A server of files says at the close what it said at the write before, in other words. */
    @Test
    void g84_aCloseThatFailsTooDoesNotHideWhyTheWriteFailed() throws Exception {
        Map<String, Integer> failing = Map.of("pwrite", Errno.ENOSPC, "close", Errno.EIO);
        Sys sys = (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (_, call, arguments) -> {
                    Object answer =
                            call.invoke(NativeSys.INSTANCE, arguments); // a close that fails closes all the same
                    Integer errno = failing.get(call.getName());
                    if (errno != null) {
                        throw new SysException(call.getName(), errno, "file");
                    }
                    return answer;
                });
        assertThatThrownBy(() -> ReplacedFile.writeDurably(sys, folder.resolve("file"), "text"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ENOSPC");
        assertThat(names()).isEmpty();
    }

    private CountedCalls replace(CountedCalls calls, Path file) {
        calls.count(() -> {
            try {
                ReplacedFile.writeDurably(calls.sys(), file, "the new text");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return calls;
    }

    @Test
    void g84_whicheverCallFailsTheTextIsTheOldOneOrTheNewOneAndNothingElseIsLeft() throws Exception {
        Path file = folder.resolve("file");
        List<String> calls = replace(CountedCalls.healthy(), file).calls();
        int rename = calls.indexOf("renameat file.tmp");
        for (int call = 0; call < calls.size(); call++) {
            Files.writeString(file, "old");
            CountedCalls failing = CountedCalls.failingAt(call, Errno.ENOSPC);
            assertThatThrownBy(() -> replace(failing, file))
                    .as(calls.get(call))
                    .hasRootCauseInstanceOf(SysException.class)
                    .hasMessageContaining(
                            file + " cannot be replaced: " + calls.get(call).split(" ", 2)[0] + " on ")
                    .hasMessageContaining("ENOSPC");
            assertThat(file).hasContent(call <= rename ? "old" : "the new text");
            assertThat(names()).containsExactly("file");
        }
    }

    @Test
    void g90_whereverItDiesTheTextIsTheOldOneOrTheNewOneAndTheNextReplacementWorks() throws Exception {
        Path file = folder.resolve("file");
        List<String> calls = replace(CountedCalls.healthy(), file).calls();
        int rename = calls.indexOf("renameat file.tmp");
        for (int call = 0; call < calls.size(); call++) {
            Files.writeString(file, "old");
            CountedCalls dying = CountedCalls.dyingAt(call);
            assertThatThrownBy(() -> replace(dying, file)).isInstanceOf(CountedCalls.Killed.class);
            assertThat(file).as(calls.get(call)).hasContent(call <= rename ? "old" : "the new text");
            replace(CountedCalls.healthy(), file);
            assertThat(file).hasContent("the new text");
            assertThat(names()).containsExactly("file");
        }
    }
}
