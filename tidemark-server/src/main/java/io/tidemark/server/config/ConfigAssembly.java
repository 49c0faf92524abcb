package io.tidemark.server.config;

import io.tidemark.server.record.RecordOptions;
import io.tidemark.server.resp.Compat;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.wire.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes the configuration from settings that were each understood, and refuses those that contradict each other. */
final class ConfigAssembly {
    /** Longest secret in bytes; a larger file is not meant. */
    private static final int MAX_SECRET_BYTES = 4096;

    /** Memory for reads from SSD by default: this share of the blocks' memory, and this much at most. */
    private static final int READ_SHARE = 4;

    private static final long READ_BYTES_MAX = 256L << 20;

    private final Effective effective;
    private final List<String> problems = new ArrayList<>();

    private ConfigAssembly(Effective effective) {
        this.effective = effective;
    }

    static TidemarkConfig assemble(Effective effective) throws ConfigException {
        ConfigAssembly assembly = new ConfigAssembly(effective);
        TidemarkConfig config = assembly.config();
        if (!assembly.problems.isEmpty()) {
            throw new ConfigException(assembly.problems);
        }
        return config;
    }

    private TidemarkConfig config() {
        Path stateDir = effective
                .find(Settings.STATE_DIR)
                .orElseGet(StatePath::byDefault)
                .toAbsolutePath();
        TierPlan tiers = new TierAssembly(effective, problems).plan(stateDir);
        return new TidemarkConfig(
                stateDir,
                tiers,
                effective.get(Settings.HUGE_PAGES),
                effective.get(Settings.SSD_FRESH),
                limits(tiers),
                redis(stateDir),
                http(),
                log(),
                effective.get(Settings.UMBP_NAMES),
                record());
    }

    private Optional<RecordOptions> record() {
        return effective
                .find(Settings.RECORD_FILE)
                .map(file -> new RecordOptions(
                        file.toAbsolutePath(),
                        effective.get(Settings.RECORD_MAX_SIZE),
                        effective.get(Settings.RECORD_KEEP),
                        effective.get(Settings.RECORD_WHEN_FULL).equals("rotate")));
    }

    private TidemarkConfig.Limits limits(TierPlan tiers) {
        long maxValueBytes = maxValueBytes(tiers);
        return new TidemarkConfig.Limits(
                maxValueBytes,
                effective.get(Settings.ON_FULL).equals("wait"),
                fullWaitMillis(),
                effective.get(Settings.FULL_WAITERS),
                effective.get(Settings.LEASE),
                effective.get(Settings.LEASE_SHARE),
                effective.get(Settings.PIN_SHARE),
                effective.get(Settings.STALLED),
                putLimitMillis(),
                effective.get(Settings.DEMOTION_RETRY),
                new TidemarkConfig.Moves(effective.get(Settings.MOVE_WORKERS), effective.get(Settings.MOVE_BYTES)),
                reads(tiers, maxValueBytes),
                effective.find(Settings.INDEX_MEMORY).map(OptionalLong::of).orElse(OptionalLong.empty()));
    }

    /**
     * Longest wait of a put. The values before it in a batch make no progress meanwhile and must not count as stalled: a given
     * wait that is too long for that is refused, the default shrinks.
     */
    private long fullWaitMillis() {
        long wait = effective.get(Settings.FULL_WAIT);
        long most = Math.max(1, effective.get(Settings.STALLED) / 2);
        if (wait > most
                && !effective.isDefault(Settings.FULL_WAIT)
                && effective.get(Settings.ON_FULL).equals("wait")) {
            problem(
                    Settings.FULL_WAIT,
                    wait + " ms are too long beside " + Settings.STALLED.key() + " of "
                            + effective.get(Settings.STALLED)
                            + " ms ("
                            + effective.given(Settings.STALLED).origin()
                            + "): a put that waits would be cut off as stalled; expected at most half of that");
        }
        return Math.min(wait, most);
    }

    /** A given limit below the time after which a put counts as stalled is refused, the default grows. */
    private long putLimitMillis() {
        long limit = effective.get(Settings.PUT_LIMIT);
        long stalled = effective.get(Settings.STALLED);
        if (limit < stalled && !effective.isDefault(Settings.PUT_LIMIT)) {
            problem(
                    Settings.PUT_LIMIT,
                    limit + " ms are less than " + Settings.STALLED.key() + " of " + stalled + " ms ("
                            + effective.given(Settings.STALLED).origin()
                            + "): a put would be dropped before it counts as stalled; expected at least that");
        }
        return Math.max(limit, stalled);
    }

    private TidemarkConfig.Reads reads(TierPlan tiers, long maxValueBytes) {
        long byDefault = Math.max(Math.min(READ_BYTES_MAX, tiers.dramBytes() / READ_SHARE), maxValueBytes);
        long bytes = effective.find(Settings.SSD_READ_MEMORY).orElse(byDefault);
        if (bytes < maxValueBytes) {
            problem(
                    Settings.SSD_READ_MEMORY,
                    ByteSize.exact(bytes) + " does not hold the largest value; expected at least "
                            + ByteSize.exact(maxValueBytes) + ", or a smaller " + Settings.MAX_VALUE.key());
        }
        return new TidemarkConfig.Reads(effective.get(Settings.SSD_READ_THREADS), bytes);
    }

    /** Largest value: a given one has to stay below the high mark of the memory, the default shrinks to that. */
    private long maxValueBytes(TierPlan tiers) {
        long bytes = effective.get(Settings.MAX_VALUE);
        long kept = tiers.largestKeptBytes();
        if (bytes > kept && !effective.isDefault(Settings.MAX_VALUE)) {
            Origin memory = effective
                    .graph()
                    .map(GraphDraft::at)
                    .orElse(effective.given(Settings.DRAM_CAPACITY).origin());
            problem(
                    Settings.MAX_VALUE,
                    ByteSize.exact(bytes) + " would be evicted as soon as it is stored; expected at most "
                            + ByteSize.exact(kept) + ", what stays below the high mark of the memory (" + memory + ")");
        }
        return Math.min(bytes, kept);
    }

    private TidemarkConfig.Redis redis(Path stateDir) {
        Compat compat = Compat.of(effective.get(Settings.REDIS_COMPAT));
        Path socket = effective.find(Settings.REDIS_SOCKET).orElse(stateDir.resolve("redis.sock"));
        List<RespListener> listeners = new ArrayList<>();
        listeners.add(new RespListener(
                new ListenAddress.Tcp(
                        effective.get(Settings.REDIS_BIND),
                        effective.get(Settings.REDIS_PORT),
                        effective.isDefault(Settings.REDIS_PORT)),
                compat));
        effective
                .find(Settings.TLS_PORT)
                .map(port -> new ListenAddress.Tcp(effective.get(Settings.REDIS_BIND), port, false, true))
                .ifPresent(address -> listeners.add(new RespListener(address, compat)));
        listeners.add(new RespListener(new ListenAddress.UnixSocket(socket.toAbsolutePath()), compat));
        listeners.addAll(effective.find(Settings.REDIS_LISTENERS).orElse(List.of()));
        Optional<String> password = secret(Settings.PASSWORD_FILE);
        for (RespListener listener : listeners) {
            if (listener.address() instanceof ListenAddress.Tcp tcp && password.isEmpty()) {
                requireLoopback(Settings.REDIS_BIND, tcp.host(), Settings.PASSWORD_FILE);
            }
        }
        return new TidemarkConfig.Redis(
                listeners.stream().map(listener -> listener.with(password)).toList(),
                effective.get(Settings.MAX_CONNECTIONS),
                tls(listeners));
    }

    /** The files of TLS: certificate and key, or neither; and both where a listener needs them. */
    private Optional<TlsFiles> tls(List<RespListener> listeners) {
        Optional<Path> certificate = effective.find(Settings.TLS_CERT_FILE);
        Optional<Path> key = effective.find(Settings.TLS_KEY_FILE);
        Optional<Path> authority = effective.find(Settings.TLS_CA_FILE);
        if (certificate.isPresent() && key.isPresent()) {
            return Optional.of(new TlsFiles(certificate.get(), key.get(), authority));
        }
        boolean listens = listeners.stream()
                .anyMatch(listener -> listener.address() instanceof ListenAddress.Tcp tcp && tcp.tls());
        if (listens || certificate.isPresent() || key.isPresent() || authority.isPresent()) {
            Setting<Path> missing = certificate.isEmpty() ? Settings.TLS_CERT_FILE : Settings.TLS_KEY_FILE;
            problem(
                    missing,
                    "is not set; TLS needs " + Settings.TLS_CERT_FILE.key() + " and " + Settings.TLS_KEY_FILE.key());
        }
        return Optional.empty();
    }

    private TidemarkConfig.Http http() {
        Optional<String> token = secret(Settings.TOKEN_FILE);
        String bind = effective.get(Settings.HTTP_BIND);
        if (token.isEmpty()) {
            requireLoopback(Settings.HTTP_BIND, bind, Settings.TOKEN_FILE);
        }
        return new TidemarkConfig.Http(
                bind, effective.get(Settings.HTTP_PORT), effective.isDefault(Settings.HTTP_PORT), token);
    }

    private TidemarkConfig.Log log() {
        return new TidemarkConfig.Log(
                effective.get(Settings.LOG_LEVEL),
                effective.get(Settings.LOG_FORMAT).equals("json"),
                effective.get(Settings.SUMMARY));
    }

    private void requireLoopback(Setting<String> setting, String bind, Setting<Path> secret) {
        try {
            boolean loopback = InetAddress.getByName(bind).isLoopbackAddress();
            if (!loopback && !effective.get(Settings.ALLOW_UNAUTHENTICATED)) {
                problem(
                        setting,
                        bind + " is reachable from other machines and nothing asks who calls; expected "
                                + secret.flag() + " FILE, or " + Settings.ALLOW_UNAUTHENTICATED.flag()
                                + " to open it to everyone");
            }
        } catch (UnknownHostException _) {
            problem(setting, "'" + bind + "' is no address of this machine");
        }
    }

    /** The first line of the file that a setting names. */
    private Optional<String> secret(Setting<Path> setting) {
        Optional<Path> file = effective.find(setting);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            if (Files.size(file.get()) > MAX_SECRET_BYTES) {
                problem(setting, file.get() + " is larger than " + MAX_SECRET_BYTES + " bytes; expected one line");
                return Optional.empty();
            }
            String secret =
                    Files.readString(file.get()).lines().findFirst().orElse("").strip();
            if (secret.isEmpty()) {
                problem(setting, file.get() + " is empty; expected the secret on its first line");
            }
            return Optional.of(secret);
        } catch (IOException e) {
            problem(setting, "cannot read " + file.get() + " (" + e.getClass().getSimpleName() + ")");
            return Optional.empty();
        }
    }

    private void problem(Setting<?> setting, String text) {
        problems.add(effective.given(setting).origin() + ": " + setting.key() + ": " + text);
    }
}
