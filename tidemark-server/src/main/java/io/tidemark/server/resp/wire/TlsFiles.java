package io.tidemark.server.resp.wire;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the server's proof of who it is lies, all in PEM.
 *
 * @param certificate the server's certificate, followed by those between it and the root
 * @param key its private key, PKCS#8, without a password
 * @param clientAuthority whose certificates clients have to show; empty asks them for none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientAuthority) {
    Stream<Path> all() {
        return Stream.concat(Stream.of(certificate, key), clientAuthority.stream());
    }
}
