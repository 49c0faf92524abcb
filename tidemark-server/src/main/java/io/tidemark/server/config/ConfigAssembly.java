package io.tidemark.server.config;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the configuration from settings that were each understood, and refuses those that contradict each other. */
final class ConfigAssembly {
    /** Longest secret in bytes; a larger file is not meant. */
    private static final int MAX_SECRET_BYTES = 4096;

    /** Smallest share of the SSD's capacity: below, journal and checkpoints take more of it than is sensible. */
    private static final long MIN_DIRECTORY_BYTES = 64 << 20;

    /** Most pages that the allocator of a tier or directory numbers. */
    private static final long MAX_PAGES = (1 << 30) - 1;

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
        return new TidemarkConfig(
                stateDir,
                dram(),
                ssd(stateDir),
                limits(),
                redis(stateDir),
                http(),
                log(),
                effective.get(Settings.UMBP_NAMES));
    }

    private TidemarkConfig.Dram dram() {
        long page = effective.get(Settings.DRAM_PAGE);
        long capacity = effective.get(Settings.DRAM_CAPACITY);
        double high = effective.get(Settings.HIGH_MARK);
        double low = effective.get(Settings.LOW_MARK);
        if (Long.bitCount(page) != 1) {
            problem(Settings.DRAM_PAGE, "expected a power of two");
        }
        if (capacity < page) {
            problem(Settings.DRAM_CAPACITY, "smaller than one page of " + ByteSize.exact(page));
        }
        requireBelow(Settings.LOW_MARK, Settings.HIGH_MARK);
        if (capacity / page > MAX_PAGES) {
            problem(
                    Settings.DRAM_CAPACITY,
                    ByteSize.exact(capacity) + " is too much in pages of " + ByteSize.exact(page)
                            + "; expected at most "
                            + ByteSize.exact(MAX_PAGES * page) + ", or larger pages with "
                            + Settings.DRAM_PAGE.flag());
        }
        return new TidemarkConfig.Dram(
                capacity - capacity % page,
                effective.isDefault(Settings.DRAM_CAPACITY),
                page,
                high,
                low,
                effective.get(Settings.POLICY));
    }

    private void requireBelow(Setting<Double> low, Setting<Double> high) {
        if (effective.get(low) >= effective.get(high)) {
            problem(
                    low,
                    "has to be below " + high.key() + " (" + effective.get(high) + ", "
                            + effective.given(high).origin() + ")");
        }
    }

    private Optional<TidemarkConfig.Ssd> ssd(Path stateDir) {
        Optional<List<Path>> given = effective.find(Settings.SSD_DIRECTORIES);
        Optional<Long> size = effective.find(Settings.SSD_CAPACITY);
        if (given.isEmpty() && size.isEmpty()) {
            refuseWithoutSsd();
            return Optional.empty();
        }
        List<Path> directories = given.orElseGet(() -> List.of(stateDir.resolve("ssd"))).stream()
                .map(path -> path.toAbsolutePath().normalize())
                .toList();
        long capacity = size.orElseGet(() -> ByteSize.parse(Settings.SSD_DEFAULT));
        long page = effective.get(Settings.SSD_PAGE);
        if (Long.bitCount(page) != 1) {
            problem(Settings.SSD_PAGE, "expected a power of two");
        }
        if (capacity / directories.size() < MIN_DIRECTORY_BYTES) {
            problem(
                    Settings.SSD_CAPACITY,
                    ByteSize.exact(capacity) + " for " + directories.size() + " directories; expected at least "
                            + ByteSize.exact(MIN_DIRECTORY_BYTES) + " for each");
        }
        if (capacity / directories.size() / page > MAX_PAGES) {
            problem(Settings.SSD_PAGE, ByteSize.exact(page) + " is too small for directories of this capacity");
        }
        requireBelow(Settings.SSD_LOW_MARK, Settings.SSD_HIGH_MARK);
        return Optional.of(new TidemarkConfig.Ssd(
                directories,
                capacity,
                (int) page,
                effective.get(Settings.SSD_HIGH_MARK),
                effective.get(Settings.SSD_LOW_MARK),
                effective.get(Settings.SSD_POLICY),
                promotion(),
                effective.get(Settings.SSD_FRESH)));
    }

    private Optional<TidemarkConfig.Promotion> promotion() {
        int hits = effective.get(Settings.SSD_PROMOTE_HITS);
        return switch (effective.get(Settings.SSD_PROMOTE)) {
            case "move" -> Optional.of(new TidemarkConfig.Promotion(hits, true));
            case "copy" -> Optional.of(new TidemarkConfig.Promotion(hits, false));
            default -> Optional.empty();
        };
    }

    /** A setting of a tier that there is not is a mistake. */
    private void refuseWithoutSsd() {
        for (Setting<?> setting : Settings.all()) {
            if (setting.key().startsWith("ssd.") && !effective.isDefault(setting)) {
                problem(
                        setting,
                        "has no effect without " + Settings.SSD_CAPACITY.key() + "; expected "
                                + Settings.SSD_CAPACITY.flag() + " SIZE too");
            }
        }
    }

    private TidemarkConfig.Limits limits() {
        return new TidemarkConfig.Limits(
                maxValueBytes(),
                effective.get(Settings.ON_FULL).equals("wait"),
                effective.get(Settings.FULL_WAIT),
                effective.get(Settings.FULL_WAITERS),
                effective.get(Settings.LEASE),
                effective.get(Settings.LEASE_SHARE),
                effective.get(Settings.PIN_SHARE),
                effective.get(Settings.STALLED),
                effective.get(Settings.DEMOTION_RETRY));
    }

    /** Largest value: a given one has to fit the memory, the default shrinks to it. */
    private long maxValueBytes() {
        long bytes = effective.get(Settings.MAX_VALUE);
        long capacity = effective.get(Settings.DRAM_CAPACITY);
        if (bytes > capacity && !effective.isDefault(Settings.MAX_VALUE)) {
            problem(
                    Settings.MAX_VALUE,
                    ByteSize.exact(bytes) + " does not fit the memory; expected at most "
                            + Settings.DRAM_CAPACITY.key() + " (" + ByteSize.exact(capacity) + ", "
                            + effective.given(Settings.DRAM_CAPACITY).origin() + ")");
        }
        return Math.min(bytes, capacity);
    }

    private TidemarkConfig.Redis redis(Path stateDir) {
        Compat compat = Compat.of(effective.get(Settings.REDIS_COMPAT));
        Path socket = effective.find(Settings.REDIS_SOCKET).orElse(stateDir.resolve("redis.sock"));
        List<ListenerConfig> listeners = new ArrayList<>();
        listeners.add(new ListenerConfig.Tcp(
                effective.get(Settings.REDIS_BIND),
                effective.get(Settings.REDIS_PORT),
                effective.isDefault(Settings.REDIS_PORT),
                compat));
        listeners.add(new ListenerConfig.Unix(socket.toAbsolutePath(), compat));
        listeners.addAll(effective.find(Settings.REDIS_LISTENERS).orElse(List.of()));
        Optional<String> password = secret(Settings.PASSWORD_FILE);
        for (ListenerConfig listener : listeners) {
            if (listener instanceof ListenerConfig.Tcp tcp && password.isEmpty()) {
                requireLoopback(Settings.REDIS_BIND, tcp.bind(), Settings.PASSWORD_FILE);
            }
        }
        return new TidemarkConfig.Redis(List.copyOf(listeners), password, effective.get(Settings.MAX_CONNECTIONS));
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
