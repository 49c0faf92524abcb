package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeSysTest {
    private final Sys sys = NativeSys.INSTANCE;

    @TempDir
    Path dir;

    private int create(String name) throws SysException {
        return sys.openat(Sys.AT_FDCWD, dir.resolve(name).toString(), Sys.O_RDWR | Sys.O_CREAT | Sys.O_EXCL, 0600);
    }

    @Test
    void whatIsWrittenIsReadWithDirectIo() throws SysException {
        int fd = sys.openat(Sys.AT_FDCWD, dir.resolve("f").toString(), Sys.O_RDWR | Sys.O_CREAT | Sys.O_DIRECT, 0600);
        sys.fallocate(fd, 0, 0, 16_384);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(4096, 4096);
            page.fill((byte) 7);
            assertThat(sys.pwrite(fd, page, 8192)).isEqualTo(4096);
            sys.fdatasync(fd);
            MemorySegment read = arena.allocate(8192, 4096);
            assertThat(sys.pread(fd, read, 8192)).isEqualTo(8192);
            assertThat(read.get(ValueLayout.JAVA_BYTE, 4095)).isEqualTo((byte) 7);
            assertThat(read.get(ValueLayout.JAVA_BYTE, 4096)).isZero();
            assertThat(sys.pread(fd, read, 16_384)).as("end of file").isZero();
        }
        sys.close(fd);
    }

    @Test
    void failuresSayWhatAndWhere() {
        assertThatThrownBy(() -> sys.openat(Sys.AT_FDCWD, dir + "/none", Sys.O_RDONLY, 0))
                .isInstanceOfSatisfying(SysException.class, e -> {
                    assertThat(e.call()).isEqualTo("openat");
                    assertThat(e.errno()).isEqualTo(Errno.ENOENT);
                })
                .hasMessageContaining("none")
                .hasMessageContaining("ENOENT");
        assertThatThrownBy(() -> sys.fdatasync(-1)).hasMessage("fdatasync on descriptor -1: errno 9");
        assertThatThrownBy(() -> sys.close(-1)).isInstanceOf(SysException.class);
    }

    @Test
    void aFailedCallOnADescriptorNamesItsFile() throws SysException {
        int fd = create("journal-0");
        assertThatThrownBy(() -> sys.fallocate(fd, 0, 0, -1))
                .hasMessage("fallocate on -1 bytes of " + dir.resolve("journal-0") + " at 0: EINVAL");
        assertThatThrownBy(() -> sys.ftruncate(fd, -1))
                .hasMessage("ftruncate on " + dir.resolve("journal-0") + " to -1: EINVAL");
        sys.close(fd);
    }

    @Test
    void factsOfAFileAreThoseOfTheFileSystem() throws Exception {
        Path file = Files.write(dir.resolve("f"), new byte[5000]);
        Instant modified = Instant.parse("2020-05-06T07:08:09.000000011Z");
        Files.setLastModifiedTime(file, FileTime.from(modified));
        int fd = sys.openat(Sys.AT_FDCWD, dir.toString(), Sys.O_RDONLY | Sys.O_DIRECTORY, 0);
        Sys.FileFacts facts = sys.statx(fd, "f", Sys.AT_SYMLINK_NOFOLLOW);
        assertThat(facts.isFile()).isTrue();
        assertThat(facts.lengthBytes()).isEqualTo(5000);
        assertThat(facts.allocatedBytes()).isGreaterThanOrEqualTo(5000);
        assertThat(facts.links()).isEqualTo(1);
        assertThat(facts.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        assertThat(facts.owner()).isEqualTo(Files.getAttribute(file, "unix:uid"));
        assertThat(facts.modifiedNanos()).isEqualTo(modified.getEpochSecond() * 1_000_000_000L + modified.getNano());
        assertThat(sys.statx(Sys.AT_FDCWD, dir.toString(), 0).isDirectory()).isTrue();
        sys.close(fd);
    }

    @Test
    void factsOfAVolumeAreThoseOfTheFileSystem() throws Exception {
        int fd = create("f");
        Sys.VolumeFacts facts = sys.fstatvfs(fd);
        assertThat(facts.totalBytes()).isEqualTo(Files.getFileStore(dir).getTotalSpace());
        assertThat(facts.availableBytes()).isBetween(1L, facts.freeBytes());
        assertThat(facts.freeInodes()).isBetween(1L, facts.inodes());
        assertThat(facts.readOnly()).isFalse();
        sys.close(fd);
    }

    @Test
    void aLockIsHeldByOneDescriptor() throws SysException {
        int one = create("lock");
        int other = sys.openat(Sys.AT_FDCWD, dir.resolve("lock").toString(), Sys.O_RDWR, 0);
        sys.flock(one, Sys.LOCK_EX_NB);
        assertThatThrownBy(() -> sys.flock(other, Sys.LOCK_EX_NB))
                .isInstanceOfSatisfying(
                        SysException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EAGAIN));
        sys.close(one);
        sys.flock(other, Sys.LOCK_EX_NB);
        sys.close(other);
    }

    @Test
    void filesAreCutAndRemoved() throws SysException {
        int fd = create("f");
        sys.ftruncate(fd, 12_345);
        assertThat(sys.statx(Sys.AT_FDCWD, dir.resolve("f").toString(), 0).lengthBytes())
                .isEqualTo(12_345);
        sys.unlinkat(Sys.AT_FDCWD, dir.resolve("f").toString(), 0);
        assertThat(dir.resolve("f")).doesNotExist();
        sys.close(fd);
    }

    @Test
    void memoryIsMappedAndTakenAway() throws SysException {
        MemorySegment memory = sys.mmap(
                64L << 30,
                Sys.PROT_READ | Sys.PROT_WRITE,
                Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS | Sys.MAP_NORESERVE,
                -1,
                0);
        assertThat(memory.byteSize()).isEqualTo(64L << 30);
        memory.set(ValueLayout.JAVA_LONG, (64L << 30) - 8, 42);
        sys.madvise(memory.asSlice(0, 8192), Sys.MADV_POPULATE_WRITE);
        sys.munmap(memory);
        assertThatThrownBy(() -> sys.mmap(0, Sys.PROT_READ, Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS, -1, 0))
                .isInstanceOf(SysException.class);
    }
}
