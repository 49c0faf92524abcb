package io.tidemark.server.resp.wire;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server's proof of who it is, all in PEM.
 *
 * @param certificate the server's certificate, followed by those between it and the root
 * @param key its private key, PKCS#8, without a password
 * @param clientAuthority whose certificates clients have to show; empty asks them for none
 */
public record TlsFiles(TlsFile certificate, TlsFile key, Optional<TlsFile> clientAuthority) {
    /** As they are now; equal to these where none was changed. */
    TlsFiles again() throws IOException {
        Optional<TlsFile> authority =
                clientAuthority.isPresent() ? Optional.of(clientAuthority.get().again()) : Optional.empty();
        return new TlsFiles(certificate.again(), key.again(), authority);
    }

    Stream<TlsFile> all() {
        return Stream.concat(Stream.of(certificate, key), clientAuthority.stream());
    }
}
