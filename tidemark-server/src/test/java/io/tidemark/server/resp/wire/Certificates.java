package io.tidemark.server.resp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Certificates for tests, made by the JDK's keytool: each its own authority, valid for localhost and 127.0.0.1. */
public final class Certificates {
    private static final Base64.Encoder MIME = Base64.getMimeEncoder(64, new byte[] {'\n'});
    private static final String PASSWORD = "changeit";

    private Certificates() {}

    /** Writes {@code NAME.crt}, {@code NAME.key} and {@code NAME.p12} into the folder. */
    public static TlsFiles make(Path folder, String name, String algorithm) throws Exception {
        return make(folder, name, algorithm, 2);
    }

    /** The same, valid for so many days. */
    static TlsFiles make(Path folder, String name, String algorithm, int days) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Files.deleteIfExists(store);
        String program =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> size = algorithm.equals("EC") ? List.of("-groupname", "secp256r1") : List.of("-keysize", "2048");
        List<String> who = List.of("-alias", name, "-dname", "CN=" + name, "-validity", Integer.toString(days));
        List<String> where = List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", store.toString());
        List<String> what =
                List.of(program, "-genkeypair", "-keyalg", algorithm, "-ext", "san=dns:localhost,ip:127.0.0.1");
        Process keytool = new ProcessBuilder(
                        Stream.of(what, size, who, where).flatMap(List::stream).toList())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(keytool.exitValue()).as(said).isZero();
        return written(folder, name, keys(store));
    }

    /** The key and certificate of a store that {@link #make} wrote. */
    public static KeyStore keys(Path store) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    private static TlsFiles written(Path folder, String name, KeyStore keys) throws Exception {
        Path certificate = folder.resolve(name + ".crt");
        Path key = folder.resolve(name + ".key");
        Files.writeString(
                certificate, pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
        Files.writeString(
                key,
                pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        return new TlsFiles(TlsFile.read(certificate), TlsFile.read(key), Optional.empty());
    }

    static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n" + MIME.encodeToString(der) + "\n-----END " + what + "-----\n";
    }
}
