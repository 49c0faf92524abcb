package io.tidemark.server.resp.wire;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TlsMaterialTest {
    @TempDir
    private static Path folder;

    private static TlsFiles rsa;
    private static TlsFiles ec;
    private Executor reader = Runnable::run;
    private long nowNanos;
    private Instant now = Instant.now();

    @BeforeAll
    static void make() throws Exception {
        rsa = Certificates.make(folder, "rsa", "RSA");
        ec = Certificates.make(folder, "ec", "EC");
    }

    private TlsMaterial load(TlsFiles files) throws IOException {
        return TlsMaterial.of(files, () -> nowNanos, () -> now, reader);
    }

    private static TlsFiles files(Path certificate, Path key) throws IOException {
        return new TlsFiles(TlsFile.read(certificate), TlsFile.read(key), Optional.empty());
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
        assertThatThrownBy(() -> load(files(odd, rsa.key().path())))
                .hasMessageContaining("odd.pem")
                .hasMessageContaining("certificate");
        assertThatThrownBy(() -> load(files(rsa.certificate().path(), odd)))
                .hasMessage(odd + " holds no private key; expected PEM, -----BEGIN PRIVATE KEY-----");
        assertThatThrownBy(() -> load(files(rsa.key().path(), rsa.key().path())))
                .hasMessage(
                        rsa.key() + " holds a private key; expected a certificate in PEM, -----BEGIN CERTIFICATE-----");
        assertThatThrownBy(() ->
                        load(files(rsa.certificate().path(), rsa.certificate().path())))
                .hasMessage(rsa.certificate()
                        + " holds a certificate and no private key; expected PEM, -----BEGIN PRIVATE KEY-----");
        assertThatThrownBy(() -> load(files(folder.resolve("rsa.p12"), rsa.key().path())))
                .hasMessageStartingWith(folder.resolve("rsa.p12") + " holds no ")
                .hasMessageEndingWith("; expected PEM, -----BEGIN CERTIFICATE-----");
        assertThatThrownBy(() -> load(files(rsa.certificate().path(), ec.key().path())))
                .hasMessageContaining("ec.key holds no RSA key");
        Files.writeString(odd, Certificates.pem("RSA PRIVATE KEY", new byte[] {1, 2, 3}));
        assertThatThrownBy(() -> load(files(rsa.certificate().path(), odd)))
                .hasMessageContaining("'RSA PRIVATE KEY'; expected PKCS#8");
    }

    @Test
    void theKeyOfAnotherCertificateIsRefused() throws Exception {
        TlsFiles other = Certificates.make(folder, "other", "EC");
        assertThatThrownBy(() -> load(files(ec.certificate().path(), other.key().path())))
                .hasMessage(
                        other.key() + " holds the key of another certificate; expected that of CN=ec, which the file"
                                + " of the certificate begins with");
    }

    @Test
    void renewedFilesAreTakenUpAndBrokenOnesAreNot() throws Exception {
        TlsMaterial material = load(put(rsa, "now", 1_000));
        SSLContext first = material.context();
        put(ec, "now", 2_000);
        assertThat(material.context()).isSameAs(first);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        SSLContext second = material.context();
        assertThat(second).isNotSameAs(first);
        Files.writeString(folder.resolve("now.key"), "half of a file");
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).isSameAs(second);
        put(rsa, "now", 4_000);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).isNotSameAs(second);
    }

    @Test
    void aLookAtTheFilesHoldsUpNoConnectionAndOneIsUnderWayAtMost() throws Exception {
        List<Runnable> looks = new ArrayList<>();
        reader = looks::add;
        TlsMaterial material = load(put(rsa, "slow", 1_000));
        SSLContext first = material.context();
        put(ec, "slow", 2_000);
        for (int i = 0; i < 3; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(11);
            assertThat(material.context()).isSameAs(first);
        }
        assertThat(looks).hasSize(1);
        looks.getFirst().run();
        assertThat(material.context()).isNotSameAs(first);
    }

    @Test
    void aLookThatNoThreadCanBeStartedForIsMadeLater() throws Exception {
        AtomicBoolean noThreads = new AtomicBoolean(true);
        reader = look -> {
            if (noThreads.get()) {
                throw new RejectedExecutionException("the system starts no further thread");
            }
            look.run();
        };
        TlsMaterial material = load(put(rsa, "later", 1_000));
        SSLContext first = material.context();
        put(ec, "later", 2_000);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).as("the connection gets what there is").isSameAs(first);
        noThreads.set(false);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).isNotSameAs(first);
    }

    @Test
    void aRenewalThatFailsSaysWhy() throws Exception {
        TlsFiles files = put(rsa, "why", 1_000);
        Path key = files.key().path();
        Files.write(key, new byte[(1 << 20) + 1]);
        assertThatThrownBy(() -> files.key().again())
                .hasMessage(key + " cannot be read: larger than 1048576 bytes; expected PEM");
        Files.delete(key);
        assertThatThrownBy(() -> files.key().again()).hasMessage(key + " is not there");
    }

    /** It is used: who does not verify it is served, and so are those of other listeners. */
    @Test
    void aCertificateOutOfItsTimeIsToldOnceAndUsed() throws Exception {
        try (LogTail log = LogTail.of(TlsMaterial.class)) {
            TlsMaterial material = load(put(rsa, "ends", 1_000));
            assertThat(log.errors()).isEmpty();
            now = now.plus(Duration.ofDays(3));
            for (int i = 0; i < 3; i++) {
                nowNanos += TimeUnit.SECONDS.toNanos(11);
                assertThat(material.context()).isNotNull();
            }
            assertThat(log.errors())
                    .singleElement(as(STRING))
                    .matches("TLS: " + folder.resolve("ends.crt") + ": the certificate of CN=rsa expired at .*; it is "
                            + now.truncatedTo(ChronoUnit.SECONDS) + " now, expected a certificate that is valid: .*");
            put(ec, "ends", 2_000);
            nowNanos += TimeUnit.SECONDS.toNanos(11);
            assertThat(material.context()).isNotNull();
            assertThat(log.errors()).as("the renewed one is as old").hasSize(2);
            now = now.minus(Duration.ofDays(30));
            load(rsa);
            assertThat(log.errors()).hasSize(3);
            assertThat(log.errors().getLast()).contains("is not valid before");
        }
    }

    /** A root that ends beside one that goes on harms nobody; an authority that has ended may refuse each client. */
    @Test
    void whatIsOutOfItsTimeBehindTheOwnCertificateOrOfClientsIsAWarning() throws Exception {
        TlsFiles lasting = Certificates.make(folder, "lasting", "EC", 30);
        TlsFiles issuer = Certificates.make(Files.createDirectories(folder.resolve("issuer")), "lasting", "EC");
        Path chain = folder.resolve("chain.crt");
        Files.writeString(
                chain,
                Files.readString(lasting.certificate().path())
                        + Files.readString(issuer.certificate().path()));
        TlsFiles behind = files(chain, lasting.key().path());
        TlsFiles ofClients = new TlsFiles(
                lasting.certificate(),
                lasting.key(),
                Optional.of(TlsFile.read(ec.certificate().path())));
        now = now.plus(Duration.ofHours(1)); // those were made just now
        try (LogTail log = LogTail.of(TlsMaterial.class)) {
            load(behind);
            load(ofClients);
            assertThat(log.warnings()).isEmpty();
            now = now.plus(Duration.ofDays(3));
            TlsMaterial material = load(behind);
            assertThat(log.warnings())
                    .singleElement(as(STRING))
                    .contains(chain + ": the certificate of CN=lasting expired");
            nowNanos += TimeUnit.SECONDS.toNanos(11);
            assertThat(material.context()).isNotNull();
            assertThat(log.warnings()).as("once").hasSize(1);
            load(ofClients);
            assertThat(log.warnings().getLast())
                    .contains(ec.certificate().path() + ": the certificate of CN=ec expired");
            assertThat(log.errors()).isEmpty();
        }
    }

    /** What a pipe held is gone once it was read, and whoever opens it again waits for somebody who writes. */
    @Test
    @Timeout(60)
    void aPipeIsReadOnceAndNeverLookedAtAgain() throws Exception {
        Path pipe = pipe("cert", Files.readString(rsa.certificate().path()));
        TlsFiles files = files(pipe, pipe("key", Files.readString(rsa.key().path())));
        TlsMaterial material = load(files);
        SSLContext first = material.context();
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).isSameAs(first);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(material.context()).as("after a look").isSameAs(first);
    }

    @Test
    @Timeout(60)
    void anEmptyPipeIsToldAsOne() throws Exception {
        TlsFiles files = files(pipe("empty", ""), rsa.key().path());
        assertThatThrownBy(() -> load(files))
                .hasMessageContaining(
                        "empty (no regular file: nothing was in it, or somebody else has read it) holds no")
                .hasMessageContaining("certificate");
    }

    /** A named pipe into which somebody writes this, once. */
    private static Path pipe(String name, String text) throws Exception {
        Path pipe = folder.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Files.writeString(pipe, text, StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return pipe;
    }

    private static TlsFiles put(TlsFiles from, String name, long millis) throws IOException {
        Path certificate = folder.resolve(name + ".crt");
        Path key = folder.resolve(name + ".key");
        Files.copy(from.certificate().path(), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(from.key().path(), key, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(certificate, FileTime.fromMillis(millis));
        Files.setLastModifiedTime(key, FileTime.fromMillis(millis));
        return files(certificate, key);
    }
}
