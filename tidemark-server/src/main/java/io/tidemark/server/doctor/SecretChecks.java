package io.tidemark.server.doctor;

import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.resp.wire.TlsFile;
import io.tidemark.server.resp.wire.TlsFiles;
import io.tidemark.server.resp.wire.TlsMaterial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at files with secrets, who may read them, and at when certificates end. */
final class SecretChecks {
    private static final String SECRETS = ".*(password|token|key)-file";

    /** Time in which somebody still renews a certificate by hand. */
    private static final Duration NOTICE = Duration.ofDays(14);

    private SecretChecks() {}

    /** One finding for each such file that was given. */
    static List<Finding> of(Effective effective, Optional<TlsFiles> tls, Instant now) {
        List<Finding> findings = new ArrayList<>();
        for (Setting<?> setting : Settings.all()) {
            String text = effective.given(setting).text();
            if (!text.isEmpty() && setting.key().matches(SECRETS)) {
                findings.add(secret(setting.key(), Path.of(text)));
            }
        }
        tls.ifPresent(files -> findings.addAll(tls(files, now)));
        return findings;
    }

    private static Finding secret(String check, Path file) {
        try {
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
            return rights.contains(PosixFilePermission.OTHERS_READ)
                    ? Finding.warn(check, file + " can be read by everybody", "chmod 0600 " + file)
                    : Finding.ok(check, file.toString());
        } catch (IOException | UnsupportedOperationException e) {
            return Finding.fail(
                    check,
                    file + " cannot be looked at: "
                            + (e instanceof IOException io ? FileTrouble.reason(io) : e.getMessage()),
                    "give a file that can be read");
        }
    }

    /** What a start would stop at, then the time of the certificate. */
    static List<Finding> tls(TlsFiles files, Instant now) {
        try {
            TlsMaterial.check(files);
        } catch (IOException e) {
            return List.of(Finding.fail("redis.tls", String.valueOf(e.getMessage()), "correct it: it stops the start"));
        }
        return List.of(
                Finding.ok("redis.tls", files.key() + " is the key of " + files.certificate()),
                certificate("redis.tls-cert-file", files.certificate(), now));
    }

    static Finding certificate(String check, TlsFile file, Instant now) {
        try {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file.content());
            Instant begin = certificate.getNotBefore().toInstant();
            Instant end = certificate.getNotAfter().toInstant();
            String found = file + ", from " + begin + " to " + end;
            String when = file.isRenewable() ? "it is taken up in place" : "it is taken up by the next start";
            if (now.isBefore(begin) || now.isAfter(end)) {
                return Finding.fail(check, found, "clients refuse it now; renew it, " + when);
            }
            return now.plus(NOTICE).isAfter(end)
                    ? Finding.warn(check, found, "renew it soon; " + when)
                    : Finding.ok(check, found);
        } catch (CertificateException e) {
            return Finding.fail(
                    check, file + " holds no certificate: " + e.getMessage(), "expected PEM, the server's first");
        }
    }
}
