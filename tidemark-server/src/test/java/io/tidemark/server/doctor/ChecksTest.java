package io.tidemark.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import io.tidemark.server.ThreadNeed;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.machine.MemoryLimits;
import io.tidemark.server.machine.ThreadLimits;
import io.tidemark.server.resp.wire.Certificates;
import io.tidemark.server.resp.wire.TlsFile;
import io.tidemark.server.resp.wire.TlsFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks on machines that are not this one. */
class ChecksTest {
    @TempDir
    private Path root;

    @Test
    void kernelsProcessorsAndClocksAreJudged() {
        assertThat(level(MachineChecks.version("6.1.0-13-amd64", "amd64"))).isEqualTo("ok");
        assertThat(level(MachineChecks.version("5.14.0", "aarch64"))).isEqualTo("ok");
        assertThat(level(MachineChecks.version("5.10.0", "amd64"))).isEqualTo("warn");
        assertThat(level(MachineChecks.version("strange", "amd64"))).isEqualTo("warn");
        assertThat(level(MachineChecks.version("6.1.0", "i386"))).isEqualTo("fail");
        assertThat(level(MachineChecks.processors(1))).isEqualTo("warn");
        assertThat(level(MachineChecks.clock(Instant.EPOCH))).isEqualTo("fail");
    }

    @Test
    void limitsOfTheProcessAreComparedWithTheConfiguration() throws Exception {
        write("proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            1024                 4096                 files
                Max locked memory         8388608              unlimited            bytes
                """);
        MachineChecks checks = new MachineChecks(kernel());

        Finding few = checks.descriptors(config(Map.of()));
        assertThat(level(few)).isEqualTo("warn");
        assertThat(few.advice()).contains("raise the hard limit to 10256", "--max-connections to 3840");
        assertThat(level(checks.descriptors(config(Map.of("redis.max-connections", "3840")))))
                .isEqualTo("ok");
        assertThat(checks.lockedMemory().found()).startsWith("no limit");

        write("proc/self/limits", "Max open files            64                 64                 files\n");
        Finding fewest = new MachineChecks(kernel()).descriptors(config(Map.of()));
        assertThat(fewest.found()).contains("fewer than the server itself may need");
        assertThat(fewest.advice()).doesNotContain("max-connections");
    }

    @Test
    void threadsThatTheSystemStillStartsAreComparedWithTheConfiguration() throws Exception {
        TidemarkConfig plain = config(Map.of());
        ThreadNeed need = ThreadNeed.of(plain, 2);
        ThreadNeed tiered = ThreadNeed.of(
                config(Map.of("ssd.capacity", "128Mi", "ssd.directories", root.resolve("a") + "," + root.resolve("b"))),
                2);
        assertThat(tiered.atStart()).isGreaterThan(need.atStart());
        assertThat(tiered.most()).as("readers of two directories").isGreaterThan(need.most() + 2 * 12);

        Finding enough = MachineChecks.threads(need, threads(100 + need.most(), 100), false);
        assertThat(level(enough)).isEqualTo("ok");
        Finding most = MachineChecks.threads(need, threads(99 + need.most(), 100), false);
        assertThat(level(most)).isEqualTo("warn");
        assertThat(most.found()).startsWith("100 threads of " + (99 + need.most()) + " are there (a test), too many");
        assertThat(most.advice())
                .isEqualTo("a server with these settings takes " + need.atStart() + " to start and up to " + need.most()
                        + "; raise x " + (100 + need.most()));
        assertThat(level(MachineChecks.threads(need, threads(100 + need.atStart(), 100), false)))
                .isEqualTo("warn");
        assertThat(level(MachineChecks.threads(need, threads(99 + need.atStart(), 100), false)))
                .isEqualTo("fail");
        assertThat(level(MachineChecks.threads(need, threads(101, 100), true)))
                .as("a server that runs has its own")
                .isEqualTo("ok");
        assertThat(level(MachineChecks.threads(need, threads(100, 100), true))).isEqualTo("fail");
        assertThat(level(MachineChecks.threads(need, Optional.empty(), false))).isEqualTo("ok");
    }

    private static Optional<ThreadLimits.Limit> threads(long threads, long used) {
        return Optional.of(new ThreadLimits.Limit(threads, used, "a test", "x"));
    }

    @Test
    void memoryIsAddedUpForAServerAndNotForTheDoctor() throws Exception {
        write("proc/meminfo", "MemTotal: 4194304 kB\nMemAvailable: 524288 kB\n");
        write("proc/swaps", "Filename Type\n/swap file\n");
        write("proc/sys/vm/overcommit_memory", "2\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
        Optional<MemoryLimits.Limit> limit = Optional.of(new MemoryLimits.Limit(2L << 30, "a test"));

        List<Finding> small =
                new MemoryChecks(kernel(), limit, Map.of()).all(config(Map.of("dram.capacity", "512Mi")), false);
        assertThat(small)
                .extracting(Finding::check)
                .containsExactly("memory", "heap", "memory-now", "huge-pages", "swap", "overcommit");
        assertThat(small).extracting(ChecksTest::level).containsExactly("ok", "ok", "warn", "warn", "warn", "warn");

        List<Finding> large = new MemoryChecks(kernel(), limit, Map.of("TIDEMARK_HEAP", "1g"))
                .all(config(Map.of("dram.capacity", "1Gi", "dram.huge-pages", "false")), true);
        assertThat(large).extracting(Finding::check).doesNotContain("memory-now");
        assertThat(level(large.getFirst())).isEqualTo("fail");
        assertThat(large.getFirst().found()).contains("1.0 GiB for blocks + 1.0 GiB heap");

        Finding nonsense = new MemoryChecks(kernel(), limit, Map.of("TIDEMARK_HEAP", "lots"))
                .all(config(Map.of()), false)
                .getFirst();
        assertThat(level(nonsense)).isEqualTo("fail");
    }

    @Test
    void sizesOfTheJvmAreRead() {
        assertThat(JvmSize.parse("512m")).contains(512L << 20);
        assertThat(JvmSize.parse("4G")).contains(4L << 30);
        assertThat(JvmSize.parse("1024")).contains(1024L);
        assertThat(JvmSize.parse("512Mi")).isEmpty();
        assertThat(JvmSize.parse("")).isEmpty();
    }

    @Test
    void twoDirectoriesOnOneDeviceAndTooLittleRoomAreTold() throws Exception {
        TidemarkConfig config = config(Map.of(
                "state-dir",
                root.resolve("state").toString(),
                "ssd.capacity",
                "120Ti",
                "ssd.page",
                "64Ki",
                "ssd.directories",
                root.resolve("a") + "," + root.resolve("b")));

        List<Finding> findings = new PlaceChecks(config, OptionalLong.empty()).all();

        assertThat(findings).anySatisfy(finding -> assertThat(finding.advice()).contains("give each its own"));
        assertThat(findings).anySatisfy(finding -> assertThat(finding.advice()).contains("lower the capacity"));
    }

    @Test
    void directoriesThatKeepNoFilesAreToldInWords() throws Exception {
        TidemarkConfig config =
                config(Map.of("state-dir", "/proc/tidemark", "ssd.capacity", "1Gi", "ssd.directories", "/sys/kernel"));

        assertThat(new PlaceChecks(config, OptionalLong.empty()).all())
                .anySatisfy(finding -> assertThat(finding.found()).isEqualTo("/proc is on proc, which keeps no files"))
                .anySatisfy(finding -> assertThat(finding.found()).isEqualTo("/sys/kernel: permission denied"));
    }

    /** Of a file system without statfs every size is 0. */
    @Test
    void aFileSystemThatTellsNoSizesIsNoFailureButNoted() {
        Path state = Path.of("/state");
        assertThat(PlaceChecks.noSpace(state, "fuse.any", 0, 0)).isEmpty();
        assertThat(PlaceChecks.noSpace(state, "9p", 0, 0)).isEmpty();
        assertThat(PlaceChecks.sizeNote(0)).isEqualTo(", which does not say how much room it has");
        assertThat(PlaceChecks.sizeNote(1)).isEmpty();
        assertThat(PlaceChecks.noSpace(state, "ext4", 1 << 30, 0).orElseThrow().found())
                .isEqualTo("/state is on a full file system");
    }

    @Test
    void aFileSystemThatCannotBeAskedForItsRoomIsAFailure() throws Exception {
        TidemarkConfig config = config(Map.of("state-dir", root.toString()));
        assertThat(new PlaceChecks(config, OptionalLong.empty()).all())
                .noneMatch(finding -> level(finding).equals("fail"));

        Sys stale = (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (_, method, arguments) -> {
                    if (method.getName().equals("fstatvfs")) {
                        throw new SysException("fstatvfs", Errno.EIO, "a stale mount");
                    }
                    try {
                        return method.invoke(NativeSys.INSTANCE, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        assertThat(new PlaceChecks(config, stale, OptionalLong.empty()).all())
                .singleElement()
                .satisfies(finding -> {
                    assertThat(level(finding)).isEqualTo("fail");
                    assertThat(finding.found())
                            .isEqualTo(root + ": its room cannot be asked for (fstatvfs on a stale mount: EIO)");
                });
    }

    @Test
    void whatAServerGoesOnWithoutIsAWarningEach() {
        assertThat(ServerChecks.judged("it", 200, "serving\n"))
                .singleElement()
                .satisfies(all -> assertThat(level(all)).isEqualTo("ok"));
        List<Finding> lame =
                ServerChecks.judged("it", 200, "serving\nssd0 is out of use: gone\nssd1 is out of use: x\n");
        assertThat(lame).extracting(ChecksTest::level).containsExactly("ok", "warn", "warn");
        assertThat(lame)
                .extracting(Finding::found)
                .containsExactly("it: serving", "ssd0 is out of use: gone", "ssd1 is out of use: x");
        assertThat(level(ServerChecks.judged("it", 503, "stopping").getFirst())).isEqualTo("fail");
    }

    @Test
    void aDeviceThatIsFullIsNotTakenForOneThatCannotAllocate() {
        Optional<SysException> full = Optional.of(new SysException("fallocate", Errno.ENOSPC, "f"));
        Finding finding = SsdChecks.device("ssd", new DeviceProbe(Optional.empty(), full, 1, 0, 1));
        assertThat(finding.found()).contains("fallocate does not work (no space left)");
        assertThat(finding.advice()).contains("free space").doesNotContain("ext4");
        Optional<SysException> unknown = Optional.of(new SysException("fallocate", Errno.EOPNOTSUPP, "f"));
        assertThat(SsdChecks.device("ssd", new DeviceProbe(Optional.empty(), unknown, 1, 0, 1))
                        .advice())
                .contains("ext4");
    }

    @Test
    void secretsThatOthersReadAndCertificatesThatEndAreTold() throws Exception {
        Path secret = Files.writeString(root.resolve("secret"), "hunter2\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        Effective effective = Effective.resolve(
                Optional.empty(),
                Map.of(),
                Map.of("redis.password-file", new Given(secret.toString(), new Origin.Flag("--password-file"))));
        Instant now = Instant.parse("2026-06-01T00:00:00Z");

        assertThat(SecretChecks.of(effective, Optional.empty(), now))
                .singleElement()
                .satisfies(found -> {
                    assertThat(level(found)).isEqualTo("warn");
                    assertThat(found.toString()).contains("chmod 0600").doesNotContain("hunter2");
                });
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(SecretChecks.of(effective, Optional.empty(), now))
                .extracting(ChecksTest::level)
                .containsExactly("ok");
        assertThat(level(SecretChecks.certificate("c", TlsFile.read(secret), now)))
                .isEqualTo("fail");
        TlsFile certificate = TlsFile.read(certificate());
        Instant end = Instant.now().plus(Duration.ofDays(90));
        assertThat(level(SecretChecks.certificate("c", certificate, Instant.now())))
                .isEqualTo("ok");
        assertThat(level(SecretChecks.certificate("c", certificate, end.minus(Duration.ofDays(7)))))
                .isEqualTo("warn");
        assertThat(level(SecretChecks.certificate("c", certificate, end.plus(Duration.ofDays(1)))))
                .isEqualTo("fail");
    }

    @Test
    void aKeyThatIsNotThatOfTheCertificateIsAFailure() throws Exception {
        TlsFiles own = Certificates.make(root, "own", "EC");
        TlsFiles other = Certificates.make(root, "other", "EC");
        assertThat(SecretChecks.tls(own, Instant.now()))
                .extracting(Finding::check, ChecksTest::level)
                .containsExactly(tuple("redis.tls", "ok"), tuple("redis.tls-cert-file", "warn"));
        assertThat(SecretChecks.tls(new TlsFiles(own.certificate(), other.key(), Optional.empty()), Instant.now()))
                .singleElement()
                .satisfies(found -> {
                    assertThat(level(found)).isEqualTo("fail");
                    assertThat(found.found()).startsWith(other.key() + " holds the key of another certificate");
                });
    }

    /** A certificate for 90 days, by the JDK's keytool. */
    private Path certificate() throws Exception {
        Path store = root.resolve("store.p12");
        Path pem = root.resolve("cert.pem");
        String[] common = {"-keystore", store.toString(), "-storepass", "changeit", "-alias", "server"};
        keytool(common, "-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-validity", "90");
        keytool(common, "-exportcert", "-rfc", "-file", pem.toString());
        return pem;
    }

    private static void keytool(String[] common, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        words.addAll(List.of(command));
        words.addAll(List.of(common));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private static String level(Finding finding) {
        return finding.level().word();
    }

    private KernelFiles kernel() {
        return new KernelFiles(root.resolve("proc"), root.resolve("sys"));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static TidemarkConfig config(Map<String, String> settings) throws Exception {
        Map<String, Given> flags = new HashMap<>();
        settings.forEach((key, text) -> flags.put(key, new Given(text, new Origin.Flag(key))));
        return Effective.resolve(Optional.empty(), Map.of(), flags).config();
    }
}
