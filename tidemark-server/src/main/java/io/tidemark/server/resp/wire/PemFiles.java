package io.tidemark.server.resp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Understands certificates and private keys in PEM. Every error names the file and what was expected in it. */
final class PemFiles {
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");

    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    private static final byte[] PROBE = "tidemark".getBytes(US_ASCII);

    private PemFiles() {}

    /** The certificates in a file, in its order: one at least. */
    static List<X509Certificate> certificates(TlsFile file) throws IOException {
        if (!file.text().contains(CERTIFICATE)
                && PRIVATE_KEY.matcher(file.text()).find()) {
            throw new IOException(file + " holds a private key; expected a certificate in PEM, " + CERTIFICATE);
        }
        try {
            List<X509Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(file.content()).stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (certificates.isEmpty()) {
                throw new IOException(file + " holds no certificate; expected PEM, " + CERTIFICATE);
            }
            return certificates;
        } catch (CertificateException e) {
            throw new IOException(
                    file + " holds no usable certificate: " + e.getMessage() + "; expected PEM, " + CERTIFICATE, e);
        }
    }

    /** What is wrong with the time that a certificate of the file is for; empty: nothing. */
    static Optional<String> outOfTime(TlsFile file, List<X509Certificate> certificates, Instant now) {
        return certificates.stream()
                .flatMap(certificate -> outOfTime(certificate, now).stream())
                .findFirst()
                .map(why -> file + ": " + why + "; it is " + now.truncatedTo(ChronoUnit.SECONDS)
                        + " now, expected a certificate that is valid: others are refused by who verifies them");
    }

    private static Optional<String> outOfTime(X509Certificate certificate, Instant now) {
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        String name = "the certificate of " + certificate.getSubjectX500Principal();
        if (now.isBefore(begin)) {
            return Optional.of(name + " is not valid before " + begin);
        }
        return now.isAfter(end) ? Optional.of(name + " expired at " + end) : Optional.empty();
    }

    /** The private key in a file in PKCS#8 that belongs to {@code certificate}'s kind of key (RSA, EC, EdDSA). */
    static PrivateKey privateKey(TlsFile file, X509Certificate certificate) throws IOException {
        Matcher pem = PRIVATE_KEY.matcher(file.text());
        if (!pem.find()) {
            throw new IOException(file + " holds "
                    + (file.text().contains(CERTIFICATE) ? "a certificate and no private key" : "no private key")
                    + "; expected PEM, -----BEGIN PRIVATE KEY-----");
        }
        if (!pem.group(1).equals("PRIVATE KEY")) {
            throw new IOException(file + " holds a key as '" + pem.group(1)
                    + "'; expected PKCS#8 without a password, as `openssl pkcs8 -topk8 -nocrypt` writes it");
        }
        String algorithm = certificate.getPublicKey().getAlgorithm();
        try {
            byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
            PrivateKey key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            if (!belongTogether(key, certificate)) {
                throw new IOException(file + " holds the key of another certificate; expected that of "
                        + certificate.getSubjectX500Principal() + ", which the file of the certificate begins with");
            }
            return key;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    file + " holds no " + algorithm + " key, which the certificate needs: " + e.getMessage(), e);
        }
    }

    private static boolean belongTogether(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(PROBE);
        byte[] signature = signing.sign();
        signing.initVerify(certificate.getPublicKey());
        signing.update(PROBE);
        return signing.verify(signature);
    }
}
