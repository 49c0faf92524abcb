package io.tidemark.server.resp.wire;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates that new connections get: read again when a file has changed, as certificates are renewed while a
 * server runs. Renewed files that cannot be used leave the old ones in effect, with a warning. What is no regular file was read
 * once, by the settings. A certificate whose time is over, or has not come, is used and told as an error: clients that do not
 * verify it, and those of other listeners, are served.
 *
 * <p>Thread-safe without a lock: one caller at a time wins the right to have the files looked at, and they are read by the
 * executor, so that no event loop waits for a file system.
 */
public final class TlsMaterial {
    private static final Logger LOG = LoggerFactory.getLogger(TlsMaterial.class);
    private static final long LOOK_NANOS = 10_000_000_000L;
    private static final char[] NO_PASSWORD = {};

    private final LongSupplier nanos;
    private final InstantSource clock;
    private final Executor reader;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile TlsFiles files;
    private volatile Loaded loaded;
    private volatile long lookedNanos;
    /** Whether it was told of the loaded certificate that its time is over, or has not come. Of whoever looks. */
    private volatile boolean told;
    /** The same of one behind it, or of an authority of clients. */
    private volatile boolean toldOfOthers;

    /**
     * What files hold.
     *
     * @param chain the server's certificate, and those behind it
     * @param authorities those of clients
     */
    private record Loaded(
            SSLContext context, TlsFile file, List<X509Certificate> chain, List<X509Certificate> authorities) {}

    private TlsMaterial(TlsFiles files, LongSupplier nanos, InstantSource clock, Executor reader) throws IOException {
        this.files = files;
        this.nanos = nanos;
        this.clock = clock;
        this.reader = reader;
        this.lookedNanos = nanos.getAsLong();
        this.loaded = load(files);
        tellOutOfTime();
        files.all()
                .filter(file -> !file.isRenewable())
                .forEach(file -> LOG.info(
                        "TLS: {} is no regular file, so it was read once: what it becomes is taken up by the next start",
                        file.path()));
    }

    /**
     * Makes use of the files as they were read. Throws with the file and what is wrong in it.
     *
     * @param nanos the monotonic clock
     * @param clock the clock by which certificates are valid
     * @param reader runs the looks at the files, one at a time
     */
    public static TlsMaterial of(TlsFiles files, LongSupplier nanos, InstantSource clock, Executor reader)
            throws IOException {
        return new TlsMaterial(files, nanos, clock, reader);
    }

    /** Throws with the file and what is wrong in it where a start with these files would. */
    public static void check(TlsFiles files) throws IOException {
        load(files);
    }

    /** Whether clients have to show a certificate. */
    public boolean clientCertificates() {
        return files.clientAuthority().isPresent();
    }

    /** What new connections are to use now. Never waits for the files. */
    SSLContext context() {
        long now = nanos.getAsLong();
        if (now - lookedNanos >= LOOK_NANOS && looking.compareAndSet(false, true)) {
            lookedNanos = now;
            begin();
        }
        return loaded.context();
    }

    /** Whatever comes of it, another look may begin in ten seconds: the connection that asks has its certificate. */
    private void begin() {
        boolean begun = false;
        try {
            reader.execute(this::look);
            begun = true;
        } catch (RejectedExecutionException e) {
            LOG.warn("TLS: the certificates in use stay, the files cannot be looked at now: {}", e.getMessage());
        } finally {
            if (!begun) {
                looking.set(false);
            }
        }
    }

    private void look() {
        try {
            renew();
            tellOutOfTime();
        } finally {
            looking.set(false);
        }
    }

    private void renew() {
        try {
            TlsFiles now = files.again();
            if (!now.equals(files)) {
                files = now;
                loaded = load(now);
                told = false;
                toldOfOthers = false;
                LOG.info(
                        "TLS: new connections get the certificate that is in {} now",
                        now.certificate().path());
            }
        } catch (IOException e) {
            LOG.warn("TLS: the certificates in use stay, what is there now cannot be used: {}", e.getMessage());
        }
    }

    /** Of the server's own certificate as an error; one behind it may be there for other clients, who are well. */
    private void tellOutOfTime() {
        Instant now = clock.instant();
        List<X509Certificate> chain = loaded.chain();
        Optional<String> own = PemFiles.outOfTime(loaded.file(), chain.subList(0, 1), now);
        if (own.isPresent() && !told) {
            LOG.error("TLS: {}", own.get());
        }
        told = own.isPresent();
        Optional<String> other = PemFiles.outOfTime(loaded.file(), chain.subList(1, chain.size()), now)
                .or(() -> files.clientAuthority().flatMap(file -> PemFiles.outOfTime(file, loaded.authorities(), now)));
        if (other.isPresent() && !toldOfOthers) {
            LOG.warn("TLS: {}", other.get());
        }
        toldOfOthers = other.isPresent();
    }

    private static Loaded load(TlsFiles files) throws IOException {
        List<X509Certificate> chain = PemFiles.certificates(files.certificate());
        PrivateKey key = PemFiles.privateKey(files.key(), chain.getFirst());
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, NO_PASSWORD);
            own.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            List<X509Certificate> authorities = authorities(files);
            TrustManager[] trusted = authorities.isEmpty() ? new TrustManager[0] : trusted(authorities);
            context.init(keys.getKeyManagers(), trusted, null);
            return new Loaded(context, files.certificate(), chain, authorities);
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    files.certificate() + " and " + files.key() + " cannot be used together: " + e.getMessage(), e);
        }
    }

    private static List<X509Certificate> authorities(TlsFiles files) throws IOException {
        return files.clientAuthority().isEmpty()
                ? List.of()
                : PemFiles.certificates(files.clientAuthority().get());
    }

    private static TrustManager[] trusted(List<X509Certificate> certificates)
            throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, NO_PASSWORD);
        int number = 0;
        for (X509Certificate authority : certificates) {
            authorities.setCertificateEntry("authority" + number++, authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        return trust.getTrustManagers();
    }
}
