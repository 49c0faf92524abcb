package io.tidemark.server.resp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsMaterialTest {
    @TempDir
    private static Path folder;

    private static TlsFiles rsa;
    private static TlsFiles ec;
    private Executor reader = Runnable::run;
    private long nowNanos;

    @BeforeAll
    static void make() throws Exception {
        rsa = Certificates.make(folder, "rsa", "RSA");
        ec = Certificates.make(folder, "ec", "EC");
    }

    private TlsMaterial load(TlsFiles files) throws IOException {
        return TlsMaterial.of(files, () -> nowNanos, reader);
    }

    private static TlsFiles files(Path certificate, Path key) {
        return new TlsFiles(certificate, key, Optional.empty());
    }

    @Test
    void keysOfBothKindsAreRead() throws IOException {
        assertThat(load(rsa).context()).isNotNull();
        assertThat(load(ec).context()).isNotNull();
        assertThat(load(ec).clientCertificates()).isFalse();
    }

    @Test
    void whatIsWrongIsNamedWithItsFile() throws IOException {
        Path odd = folder.resolve("odd.pem");
        Files.writeString(odd, "nothing\n");
        assertThatThrownBy(() -> load(files(folder.resolve("none"), rsa.key())))
                .hasMessageContaining("none is not there");
        assertThatThrownBy(() -> load(files(odd, rsa.key())))
                .hasMessageContaining("odd.pem")
                .hasMessageContaining("certificate");
        assertThatThrownBy(() -> load(files(rsa.certificate(), odd)))
                .hasMessageContaining("odd.pem holds no private key");
        assertThatThrownBy(() -> load(files(rsa.certificate(), ec.key())))
                .hasMessageContaining("ec.key holds no RSA key");
        Files.writeString(odd, Certificates.pem("RSA PRIVATE KEY", new byte[] {1, 2, 3}));
        assertThatThrownBy(() -> load(files(rsa.certificate(), odd)))
                .hasMessageContaining("'RSA PRIVATE KEY'; expected PKCS#8");
    }

    @Test
    void theKeyOfAnotherCertificateIsRefused() throws Exception {
        TlsFiles other = Certificates.make(folder, "other", "EC");
        assertThatThrownBy(() -> load(files(ec.certificate(), other.key())))
                .hasMessageContaining("other.key holds the key of another certificate than CN=ec");
    }

    @Test
    void renewedFilesAreTakenUpAndBrokenOnesAreNot() throws Exception {
        TlsFiles files = files(folder.resolve("now.crt"), folder.resolve("now.key"));
        put(rsa, files, 1_000);
        TlsMaterial material = load(files);
        SSLContext first = material.context();
        put(ec, files, 2_000);
        assertThat(material.context()).isSameAs(first);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        SSLContext second = material.context();
        assertThat(second).isNotSameAs(first);
        Files.writeString(files.key(), "half of a file");
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).isSameAs(second);
        put(rsa, files, 4_000);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).isNotSameAs(second);
    }

    @Test
    void aLookAtTheFilesHoldsUpNoConnectionAndOneIsUnderWayAtMost() throws Exception {
        List<Runnable> looks = new ArrayList<>();
        reader = looks::add;
        TlsFiles files = files(folder.resolve("slow.crt"), folder.resolve("slow.key"));
        put(rsa, files, 1_000);
        TlsMaterial material = load(files);
        SSLContext first = material.context();
        put(ec, files, 2_000);
        for (int i = 0; i < 3; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(11);
            assertThat(material.context()).isSameAs(first);
        }
        assertThat(looks).hasSize(1);
        looks.getFirst().run();
        assertThat(material.context()).isNotSameAs(first);
    }

    private static void put(TlsFiles from, TlsFiles to, long millis) throws IOException {
        Files.copy(from.certificate(), to.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(from.key(), to.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(to.certificate(), FileTime.fromMillis(millis));
        Files.setLastModifiedTime(to.key(), FileTime.fromMillis(millis));
    }
}
