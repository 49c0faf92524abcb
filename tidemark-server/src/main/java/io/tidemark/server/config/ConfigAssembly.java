package io.tidemark.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.record.RecordOptions;
import io.tidemark.server.resp.Compat;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.wire.TlsFile;
import io.tidemark.server.resp.wire.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Makes the configuration from settings that were each understood, and refuses those that contradict each other. */
final class ConfigAssembly {
    /** Longest secret in bytes; a larger file is not meant. */
    private static final int MAX_SECRET_BYTES = 4096;

    /** Memory for reads from SSD by default: this share of the blocks' memory, and this much at most. */
    private static final int READ_SHARE = 4;

    private static final long READ_BYTES_MAX = 256L << 20;

    /** In place of tiers that are not known: nothing is said of what follows from them. */
    private static final TierPlan STAND_IN = new TierPlan(
            List.of(new TierPlan.Tier(
                    "dram",
                    List.of(new TierPlan.Member(new TierPlan.Dram("dram0", 1L << 30, 4096), 1)),
                    0.9,
                    0.7,
                    List.of(),
                    Optional.empty(),
                    TierPlan.NO_EVICTION)),
            false);

    private final Effective effective;
    private final List<String> problems = new ArrayList<>();
    private final Contradictions contradictions;
    private final List<ListenRules.Asked> addresses = new ArrayList<>();
    private boolean tiersKnown;

    private ConfigAssembly(Effective effective) {
        this.effective = effective;
        contradictions = new Contradictions(effective, problems);
    }

    static TidemarkConfig assemble(Effective effective) throws ConfigException {
        ConfigAssembly assembly = new ConfigAssembly(effective);
        TidemarkConfig config = assembly.config();
        if (!assembly.problems.isEmpty()) {
            throw new ConfigException(assembly.problems, effective.stateDir(), effective.jsonLog());
        }
        return config;
    }

    /** What contradicts itself among those settings that were understood. */
    static List<String> contradictions(Effective effective) {
        ConfigAssembly assembly = new ConfigAssembly(effective);
        assembly.config();
        return assembly.problems;
    }

    private TidemarkConfig config() {
        Path stateDir = effective.stateDir().orElse(StatePath.STAND_IN);
        Optional<TierPlan> known = new TierAssembly(effective, contradictions).plan(stateDir);
        tiersKnown = known.isPresent();
        TierPlan tiers = known.orElse(STAND_IN);
        TidemarkConfig.Redis redis = redis(stateDir);
        TidemarkConfig.Http http = http();
        new ListenRules(effective, contradictions).check(addresses);
        return new TidemarkConfig(
                stateDir,
                tiers,
                effective.get(Settings.HUGE_PAGES),
                effective.get(Settings.SSD_FRESH),
                limits(tiers),
                redis,
                http,
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
                    effective.given(Settings.FULL_WAIT).text() + " is too long beside " + shown(Settings.STALLED)
                            + ": a put that waits would be cut off as stalled; expected at most half of that",
                    Settings.STALLED,
                    Settings.ON_FULL);
        }
        return Math.min(wait, most);
    }

    /** A setting as it was given, and where. */
    private String shown(Setting<?> setting) {
        Given given = effective.given(setting);
        return setting.key() + " of " + given.text() + " (" + given.origin() + ")";
    }

    /** A given limit below the time after which a put counts as stalled is refused, the default grows. */
    private long putLimitMillis() {
        long limit = effective.get(Settings.PUT_LIMIT);
        long stalled = effective.get(Settings.STALLED);
        if (limit < stalled && !effective.isDefault(Settings.PUT_LIMIT)) {
            problem(
                    Settings.PUT_LIMIT,
                    effective.given(Settings.PUT_LIMIT).text() + " is less than " + shown(Settings.STALLED)
                            + ": a put would be dropped before it counts as stalled; expected at least that",
                    Settings.STALLED);
        }
        return Math.max(limit, stalled);
    }

    private TidemarkConfig.Reads reads(TierPlan tiers, long maxValueBytes) {
        long byDefault = Math.max(Math.min(READ_BYTES_MAX, tiers.dramBytes() / READ_SHARE), maxValueBytes);
        long bytes = effective.find(Settings.SSD_READ_MEMORY).orElse(byDefault);
        if (bytes < maxValueBytes && tiersKnown) {
            problem(
                    Settings.SSD_READ_MEMORY,
                    ByteSize.exact(bytes) + " does not hold the largest value; expected at least "
                            + ByteSize.exact(maxValueBytes) + ", or a smaller " + Settings.MAX_VALUE.key(),
                    Settings.MAX_VALUE,
                    Settings.DRAM_CAPACITY,
                    Settings.HIGH_MARK);
        }
        return new TidemarkConfig.Reads(effective.get(Settings.SSD_READ_THREADS), bytes);
    }

    /** Largest value: a given one has to stay below the high mark of the memory, the default shrinks to that. */
    private long maxValueBytes(TierPlan tiers) {
        long bytes = effective.get(Settings.MAX_VALUE);
        long kept = tiers.largestKeptBytes();
        if (bytes > kept && !effective.isDefault(Settings.MAX_VALUE) && tiersKnown) {
            Origin memory = effective
                    .graph()
                    .map(GraphDraft::at)
                    .orElse(effective.given(Settings.DRAM_CAPACITY).origin());
            problem(
                    Settings.MAX_VALUE,
                    ByteSize.exact(bytes) + " would be evicted as soon as it is stored; expected at most "
                            + ByteSize.exact(kept) + ", what stays below the high mark of the memory (" + memory + ")",
                    Settings.DRAM_CAPACITY,
                    Settings.DRAM_PAGE,
                    Settings.HIGH_MARK,
                    Settings.POLICY);
        }
        return Math.min(bytes, kept);
    }

    private TidemarkConfig.Redis redis(Path stateDir) {
        Optional<Path> ownSocket = effective.find(Settings.REDIS_SOCKET);
        List<RespListener> listeners = new ArrayList<>();
        listeners.add(redis(
                new ListenAddress.Tcp(
                        effective.get(Settings.REDIS_BIND),
                        effective.get(Settings.REDIS_PORT),
                        effective.isDefault(Settings.REDIS_PORT)),
                Settings.REDIS_PORT));
        effective
                .find(Settings.TLS_PORT)
                .map(port -> new ListenAddress.Tcp(effective.get(Settings.REDIS_BIND), port, false, true))
                .ifPresent(address -> listeners.add(redis(address, Settings.TLS_PORT)));
        listeners.add(redis(
                new ListenAddress.UnixSocket(ownSocket
                        .orElseGet(() -> stateDir.resolve(StatePath.REDIS_SOCKET))
                        .toAbsolutePath()),
                ownSocket.isPresent() ? Settings.REDIS_SOCKET : Settings.STATE_DIR));
        for (RespListener listener : effective.find(Settings.REDIS_LISTENERS).orElse(List.of())) {
            listeners.add(listener);
            ask(listener.address(), Settings.REDIS_LISTENERS, Settings.REDIS_LISTENERS);
        }
        Optional<String> password = secret(Settings.PASSWORD_FILE);
        return new TidemarkConfig.Redis(
                listeners.stream().map(listener -> listener.with(password)).toList(),
                effective.get(Settings.MAX_CONNECTIONS),
                tls(listeners));
    }

    /** A listener on what this setting gives, beside the host. */
    private RespListener redis(ListenAddress address, Setting<?> setting) {
        ask(address, setting, Settings.REDIS_BIND);
        return new RespListener(address, Compat.of(effective.get(Settings.REDIS_COMPAT)));
    }

    private void ask(ListenAddress address, Setting<?> setting, Setting<?> bind) {
        addresses.add(new ListenRules.Asked(address, setting, bind, Settings.PASSWORD_FILE));
    }

    /** The files of TLS: certificate and key, or neither; and both where a listener needs them. */
    private Optional<TlsFiles> tls(List<RespListener> listeners) {
        List<Setting<Path>> files = List.of(Settings.TLS_CERT_FILE, Settings.TLS_KEY_FILE, Settings.TLS_CA_FILE);
        Map<Path, Optional<TlsFile>> read = new HashMap<>();
        Optional<TlsFile> ownCertificate = tlsFile(Settings.TLS_CERT_FILE, read);
        Optional<TlsFile> ownKey = tlsFile(Settings.TLS_KEY_FILE, read);
        Optional<TlsFile> authority = tlsFile(Settings.TLS_CA_FILE, read);
        Optional<Path> certificate = effective.find(Settings.TLS_CERT_FILE);
        Optional<Path> key = effective.find(Settings.TLS_KEY_FILE);
        if (certificate.isPresent() && key.isPresent()) {
            return ownCertificate.flatMap(own -> ownKey.map(proof -> new TlsFiles(own, proof, authority)));
        }
        boolean listens = listeners.stream()
                .anyMatch(listener -> listener.address() instanceof ListenAddress.Tcp tcp && tcp.tls());
        Stream<Setting<?>> asking = Stream.concat(
                files.stream(), listens ? Stream.of(Settings.TLS_PORT, Settings.REDIS_LISTENERS) : Stream.of());
        // the place is that of what asks for TLS: what is not set stands nowhere
        asking.filter(setting -> !effective.isDefault(setting)).findFirst().ifPresent(setting -> {
            Setting<Path> missing = certificate.isEmpty() ? Settings.TLS_CERT_FILE : Settings.TLS_KEY_FILE;
            contradictions.add(
                    effective.given(setting).origin(),
                    missing,
                    "is not set; TLS needs " + Settings.TLS_CERT_FILE.key() + " and " + Settings.TLS_KEY_FILE.key());
        });
        return Optional.empty();
    }

    /** The file that a setting names, read once, whatever else names it: of a pipe nothing is left for a second time. */
    private Optional<TlsFile> tlsFile(Setting<Path> setting, Map<Path, Optional<TlsFile>> read) {
        return effective.find(setting).flatMap(file -> read.computeIfAbsent(file, unread -> tlsFile(setting, unread)));
    }

    private Optional<TlsFile> tlsFile(Setting<Path> setting, Path file) {
        try {
            return Optional.of(TlsFile.read(file));
        } catch (IOException e) {
            problem(setting, "cannot read " + file + ": " + FileTrouble.reason(e));
            return Optional.empty();
        }
    }

    private TidemarkConfig.Http http() {
        Optional<String> token = secret(Settings.TOKEN_FILE);
        ListenAddress.Tcp address = new ListenAddress.Tcp(
                effective.get(Settings.HTTP_BIND),
                effective.get(Settings.HTTP_PORT),
                effective.isDefault(Settings.HTTP_PORT));
        addresses.add(new ListenRules.Asked(address, Settings.HTTP_PORT, Settings.HTTP_BIND, Settings.TOKEN_FILE));
        return new TidemarkConfig.Http(address.host(), address.port(), address.movable(), token);
    }

    private TidemarkConfig.Log log() {
        return new TidemarkConfig.Log(
                effective.get(Settings.LOG_LEVEL),
                effective.get(Settings.LOG_FORMAT).equals("json"),
                effective.get(Settings.SUMMARY));
    }

    /** The first line of the file that a setting names. */
    private Optional<String> secret(Setting<Path> setting) {
        Optional<Path> file = effective.find(setting);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file.get())) {
            byte[] bytes = in.readNBytes(MAX_SECRET_BYTES + 1); // at once: of a pipe the size says nothing
            if (bytes.length > MAX_SECRET_BYTES) {
                problem(setting, file.get() + " is larger than " + MAX_SECRET_BYTES + " bytes; expected one line");
                return Optional.empty();
            }
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            String secret = text.lines().findFirst().orElse("").strip();
            if (secret.isEmpty()) {
                problem(setting, file.get() + " is empty; expected the secret on its first line");
            }
            return Optional.of(secret);
        } catch (IOException e) {
            problem(setting, "cannot read " + file.get() + ": " + FileTrouble.reason(e));
            return Optional.empty();
        }
    }

    private void problem(Setting<?> setting, String text, Setting<?>... others) {
        contradictions.add(setting, text, others);
    }
}
