package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdIdentity;
import io.tidemark.core.medium.SsdOwner.Claim;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsedDirectoriesTest {
    @TempDir
    private Path state;

    private static SsdIdentity some(UUID owner) {
        return new SsdIdentity(UUID.randomUUID(), owner);
    }

    /** Another locale wrote them; a zero byte stands for what this one has no characters for. */
    @Test
    void pathsAreForPeopleAndNeedNotBeAny() throws IOException {
        UsedDirectories used = UsedDirectories.read(NativeSys.INSTANCE, state);
        SsdIdentity known = some(used.state());
        used.use(Map.of(Path.of("/data/ssd"), known));
        used.write();
        Path file = state.resolve(UsedDirectories.FILE);
        Files.writeString(file, Files.readString(file).replace("/data/ssd", "/da\0ta/\u00fc"));
        UsedDirectories again = UsedDirectories.read(NativeSys.INSTANCE, state);
        assertThat(again.judge(known)).isEqualTo(Claim.KEEP);
        assertThat(again.judge(some(used.state()))).isEqualTo(Claim.EMPTY);
        again.add(some(used.state()), Path.of("/data/other"));
        assertThat(Files.readString(file)).contains("/da\0ta/\u00fc").contains("/data/other");
    }

    @Test
    void aPathWithALineEndBreaksNoLine() throws IOException {
        UsedDirectories used = UsedDirectories.read(NativeSys.INSTANCE, state);
        SsdIdentity known = some(used.state());
        used.use(Map.of(Path.of("/data\nssd"), known));
        used.write();
        assertThat(UsedDirectories.read(NativeSys.INSTANCE, state).judge(known)).isEqualTo(Claim.KEEP);
    }

    @Test
    void aFileThatIsNoneOfOursIsToldInWords() throws IOException {
        for (byte[] bytes :
                new byte[][] {{}, "hello\n".getBytes(StandardCharsets.US_ASCII), {(byte) 0xff, (byte) 0xfe}}) {
            Files.write(state.resolve(UsedDirectories.FILE), bytes);
            assertThatThrownBy(() -> UsedDirectories.read(NativeSys.INSTANCE, state))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ssd-directories cannot be read; expected \"tidemark-ssd-directories 1 ID\"");
        }
    }

    /** Taken for missing, it would take over what was deleted since. */
    @Test
    void aFileThatCannotBeReadIsNotTakenForMissing() throws IOException {
        UsedDirectories used = UsedDirectories.read(NativeSys.INSTANCE, state);
        used.use(Map.of(Path.of("/data/ssd"), some(used.state())));
        used.write();
        for (String failing : new String[] {"openat", "pread"}) {
            Sys sys = (Sys) Proxy.newProxyInstance(
                    Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (_, call, on) -> made(call, on, failing));
            assertThatThrownBy(() -> UsedDirectories.read(sys, state))
                    .hasMessage(failing + " on what the test says: EIO");
        }
    }

    private static Object made(Method call, Object[] on, String failing) throws Exception {
        if (call.getName().equals(failing)) {
            throw new SysException(failing, Errno.EIO, "what the test says");
        }
        return call.invoke(NativeSys.INSTANCE, on);
    }

    @Test
    void oneThatIsLeftOutIsSeen() throws IOException {
        UsedDirectories used = UsedDirectories.read(NativeSys.INSTANCE, state);
        SsdIdentity one = some(used.state());
        SsdIdentity other = some(used.state());
        assertThat(used.areAllIn(Map.of())).as("none is known").isTrue();
        used.use(Map.of(Path.of("/one"), one, Path.of("/other"), other));
        assertThat(used.areAllIn(Map.of(Path.of("/moved"), other, Path.of("/one"), one)))
                .isTrue();
        assertThat(used.areAllIn(Map.of(Path.of("/one"), one, Path.of("/other"), some(used.state()))))
                .isFalse();
    }
}
