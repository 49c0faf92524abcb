package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code volume adopt} and {@code volume scan} as people call them. */
class VolumeCommandsTest {
    private static final String HASH = "0123456789abcdef";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = Commands.commandLine();
        return line.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private Path block(String hash, int bytes, Duration age) throws IOException {
        Path leaf = Files.createDirectories(
                folder.resolve("m_0123456789ab_r0/" + hash.substring(0, 3) + "/" + hash.substring(3, 5) + "_g0"));
        Path file = Files.write(leaf.resolve(hash + ".bin"), new byte[bytes]);
        FileTime used = FileTime.from(Instant.now().minus(age));
        Files.setLastModifiedTime(file, used);
        Files.setAttribute(file, "lastAccessTime", used);
        return file;
    }

    private Path mark() {
        return folder.resolve(".tidemark/adopted");
    }

    @Test
    void theHelpTellsTheFormsOfWhatIsGivenPerModel() {
        assertThat(run("volume", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains("MODEL=TIME, ...", "MODEL=SIZE, ...");
    }

    /** Whoever has both takes one's port for the other's. */
    @Test
    void aPortThatIsNoServersIsToldAsOne() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            assertThat(run("status", "--url", url)).isEqualTo(1);
            assertThat(err.toString()).contains("404", "expected the admin port of 'tidemark serve'", "volume status");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void theRootOfTheFileSystemIsNotAdopted() {
        assertThat(run("volume", "adopt", "/")).isEqualTo(1);
        assertThat(err.toString()).contains("/ is the root of the file system", "--force");
        assertThat(Path.of("/.tidemark/adopted")).doesNotExist();
    }

    @Test
    void aScanThatFindsNoBlockSaysWhatItPassedOverAndWhichLayoutWouldFindSome() throws IOException {
        Files.writeString(folder.resolve("hosts"), "127.0.0.1");
        assertThat(run("volume", "scan", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("0 files", "passed over: 1 files that are no block of the layout fs, for example hosts")
                .doesNotContain("are there");
        Files.createFile(folder.resolve("0123456789abcdef".repeat(4) + "_m_0_1.bin"));
        assertThat(run("volume", "scan", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("passed over: 2 files", "blocks of the layout sglang are there: --layout sglang counts them");
        assertThat(run("volume", "scan", "--json", folder.toString())).isZero();
        assertThat(out.toString()).contains("\"passed_over\":2");
        assertThat(run("volume", "scan", "--layout", "sglang", folder.toString()))
                .isZero();
        assertThat(out.toString()).contains("1 files").doesNotContain("passed over");
    }

    @Test
    void whatScanIsAskedInWordsItDoesNotKnowIsRefused() {
        assertThat(run("volume", "scan", "--layout", "foo", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("tidemark: --layout='foo': expected one of fs, sglang, shfs");
        assertThat(run("volume", "scan", "--threads", "3", folder.toString())).isEqualTo(2);
        assertThat(run("volume", "scan", "--layout", "shfs", folder.toString())).isZero();
    }

    @Test
    void whatIsNoDirectoryIsNotAdoptedEvenByForce() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(run("volume", "adopt", file.toString())).isEqualTo(1);
        assertThat(run("volume", "adopt", "--force", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("is no directory");
    }

    @Test
    void aRootWithoutABlockIsAdoptedByForceOnlyWhichSaysWhatItOverrides() throws IOException {
        Files.writeString(folder.resolve("hosts"), "127.0.0.1");
        assertThat(run("volume", "adopt", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("holds no block file of any layout (fs, sglang, shfs)", "--force");
        assertThat(mark()).doesNotExist();

        assertThat(run("volume", "adopt", "--force", folder.toString())).isZero();
        assertThat(out.toString()).contains("overridden by --force: ", "holds no block file", "adopted: ");
        assertThat(mark()).exists();
    }

    @Test
    void aRootWithWeightsIsAdoptedByForceOnly() throws IOException {
        block(HASH, 4096, Duration.ofDays(1));
        Files.createFile(folder.resolve("model-00001.safetensors"));
        assertThat(run("volume", "adopt", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("model-00001.safetensors is a model's weights");
        assertThat(run("volume", "adopt", "--force", folder.toString())).isZero();
        assertThat(out.toString()).contains("overridden by --force: ", "model-00001.safetensors");
    }

    @Test
    void aCacheIsAdoptedAndTheMarkIsTakenBack() throws IOException {
        block(HASH, 4096, Duration.ofDays(1));
        assertThat(run("volume", "adopt", folder.toString())).isZero();
        assertThat(out.toString()).contains("taken back by: tidemark volume adopt --undo " + folder);
        assertThat(mark()).exists();

        assertThat(run("volume", "adopt", "--undo", folder.toString())).isZero();
        assertThat(out.toString()).startsWith("no longer adopted: " + folder);
        assertThat(mark().getParent()).doesNotExist();

        assertThat(run("volume", "adopt", "--undo", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("nothing to take back");
    }

    /** The mark of a folder above the cache is never read, so nothing would be removed, and nobody would say why. */
    @Test
    void aMountIsNotAdoptedInThePlaceOfTheCacheInIt() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("kv/model-cache/models"));
        block(HASH, 4096, Duration.ofDays(1));
        assertThat(run("volume", "--pvc-mount-path", "/kv-cache", "adopt", folder.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        folder + " looks like a mount",
                        "CACHE_DIRECTORY='kv/model-cache/models'",
                        " is " + cache,
                        "--force");
        assertThat(mark()).doesNotExist();
        assertThat(run(
                        "volume",
                        "--pvc-mount-path",
                        folder.toString(),
                        "--cache-directory",
                        "a/b",
                        "adopt",
                        folder + ""))
                .isEqualTo(1);
        assertThat(err.toString()).contains(folder + " lies above the cache", " is " + folder.resolve("a/b"));
        assertThat(mark()).doesNotExist();

        assertThat(run("volume", "--pvc-mount-path", "/kv-cache", "adopt", "--force", folder.toString()))
                .isZero();
        assertThat(out.toString()).contains("overridden by --force: " + folder + " looks like a mount");
        assertThat(run("volume", "adopt", "--undo", folder.toString())).isZero();
    }

    /** In a shell without the pod's variables the defaults say nothing of where the cache is. */
    @Test
    void whereNothingSaysWhereTheCacheIsAFolderIsNotTakenForItsMount() throws IOException {
        Files.createDirectories(folder.resolve("kv/model-cache/models"));
        block(HASH, 4096, Duration.ofDays(1));
        assertThat(run("volume", "adopt", folder.toString())).isZero();
        assertThat(out.toString())
                .contains(
                        "read where PVC_MOUNT_PATH and CACHE_DIRECTORY lead to " + folder + "; neither is given here");
        assertThat(mark()).exists();
    }

    @Test
    void settingsThatAdoptDoesNotUseAreNotJudgedWhereverTheyStand() throws IOException {
        block(HASH, 4096, Duration.ofDays(1));
        Path file = Files.writeString(
                folder.resolve("volume.yaml"),
                "pvc-mount-path: " + folder + "\ncache-directory: .\ndry-run: perhaps\n");
        assertThat(run("volume", "--config", file + "", "--metrics-address", "nonsense", "adopt", folder + ""))
                .isZero();
        assertThat(out.toString()).contains("adopted: ").doesNotContain("read where");
        assertThat(run("volume", "--config", file + "", "--cache-directory", "a/b", "adopt", folder + ""))
                .isEqualTo(1);
        assertThat(err.toString()).contains(folder + " lies above the cache", " is " + folder.resolve("a/b"));
    }

    @Test
    void whereTheMarkIsReadIsSaidUnlessTheSettingsHereLeadThere() throws IOException {
        block(HASH, 4096, Duration.ofDays(1));
        assertThat(run("volume", "adopt", folder.toString())).isZero();
        assertThat(out.toString())
                .contains(
                        "read where PVC_MOUNT_PATH and CACHE_DIRECTORY lead to " + folder + "; neither is given here");
        assertThat(run("volume", "--pvc-mount-path", "/kv-cache", "adopt", folder.toString()))
                .isZero();
        assertThat(out.toString()).contains(" lead to " + folder + "; with those of here they lead to /kv-cache/");
        assertThat(run("volume", "--cache-directory", "..", "adopt", folder.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("expected a path relative to PVC_MOUNT_PATH, inside it");
        assertThat(run("volume", "--pvc-mount-path", folder + "", "--cache-directory", ".", "adopt", folder + ""))
                .isZero();
        assertThat(out.toString()).contains("adopted: ").doesNotContain("with those of here");
    }

    @Test
    void statusIsWrittenForPeople() {
        JsonNode status = JsonMapper.builder()
                .build()
                .readTree("{\"deleting\":true,\"usage\":{\"percent\":69.99978061996796,\"used_bytes\":1048576,"
                        + "\"total_bytes\":2097152,\"used_inodes\":3,\"total_inodes\":0},\"removed_bytes\":4096,"
                        + "\"problem\":\"\",\"ages\":[{\"from_seconds\":0,\"to_seconds\":600,\"bytes\":0},"
                        + "{\"from_seconds\":31536000,\"bytes\":4096}]}");
        assertThat(VolumeStatusText.lines(status))
                .containsExactly(
                        "deleting: true",
                        "usage: 70.00 % (1.0 MiB of 2.0 MiB)",
                        "removed_bytes: 4.0 KiB",
                        "problem: none",
                        "last used 365 d or longer ago: 4.0 KiB");
    }

    @Test
    void statusSaysWhatToLookAtWhenNothingListens() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(run("volume", "status", "--address", "127.0.0.1:" + port)).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo(
                        "tidemark: nothing listens at 127.0.0.1:" + port + ": is tidemark volume running, and is that"
                                + " its METRICS_ADDRESS? (--address HOST:PORT)\n");
        assertThat(run("volume", "status", "--address", "x y")).isEqualTo(2);
        assertThat(err.toString()).contains("expected HOST:PORT");
    }

    @Test
    void eachLineOfAScanSaysWhatItsBarHoldsAndTheSumOfTheOlder() throws IOException {
        block("1".repeat(16), 8_192, Duration.ofHours(2));
        block("2".repeat(16), 4_096, Duration.ofDays(400));
        assertThat(run("volume", "scan", folder.toString())).isZero();
        assertThat(out.toString().lines().filter(line -> line.startsWith("last used")))
                .containsExactly(
                        "last used 1 h to 3 h ago: 8.0 KiB (1 h ago or longer, in all: 12.0 KiB)",
                        "last used 365 d or longer ago: 4.0 KiB");
        assertThat(run("volume", "scan", "--json", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("{\"from_seconds\":3600,\"to_seconds\":10800,\"bytes\":8192}")
                .doesNotContain("9223372036854775807");
    }
}
