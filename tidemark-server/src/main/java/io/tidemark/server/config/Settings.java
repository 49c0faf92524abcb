package io.tidemark.server.config;

import io.tidemark.index.policy.Policies;
import io.tidemark.server.resp.Compat;
import io.tidemark.server.resp.RespListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Every setting there is: the one list that file, environment, flags, help and docs are made from. */
public final class Settings {
    /** Capacity of an SSD tier that is asked for without one. */
    static final String SSD_DEFAULT = "4Gi";

    public static final Setting<Path> STATE_DIR = new Setting<>(
            "state-dir",
            "--state-dir",
            "",
            ValueType.PATH,
            "Directory of lock, sockets and the file by which `status` finds the server; made with mode 0700."
                    + " Without a value: `$XDG_STATE_HOME/tidemark`, else `~/.local/state/tidemark`.");
    static final Setting<Long> DRAM_CAPACITY = new Setting<>(
            "dram.capacity",
            "--dram",
            "1Gi",
            ValueType.size(1 << 20, 1L << 46),
            "Memory for blocks, rounded down to pages. The default shrinks to fit a small machine or cgroup;"
                    + " a given size that does not fit stops the start.");
    static final Setting<Long> DRAM_PAGE = new Setting<>(
            "dram.page",
            "--dram-page",
            "4Ki",
            ValueType.size(4096, 1 << 26),
            "Unit of allocation in memory, a power of two; blocks are charged rounded up to it.");
    static final Setting<Double> HIGH_MARK = new Setting<>(
            "dram.high-mark",
            "--high",
            "0.9",
            ValueType.share(),
            "Filled share of the memory at which eviction starts.");
    static final Setting<Double> LOW_MARK = new Setting<>(
            "dram.low-mark",
            "--low",
            "0.7",
            ValueType.share(),
            "Filled share of the memory at which eviction stops; below the high mark.");
    static final Setting<String> POLICY = new Setting<>(
            "dram.policy",
            "--policy",
            Policies.DEFAULT,
            ValueType.choice(Policies::whyNot, policies()),
            "Order in which blocks are evicted; `none` never evicts and refuses puts when full.");
    static final Setting<Boolean> HUGE_PAGES = new Setting<>(
            "dram.huge-pages",
            "--huge-pages",
            "true",
            ValueType.SWITCH,
            "Whether the kernel is asked for huge pages for the memory of blocks, and of values on their way from SSD.");
    static final Setting<Long> SSD_CAPACITY = new Setting<>(
            "ssd.capacity",
            "--ssd",
            "",
            ValueType.size(64 << 20, 1L << 50).orBare(SSD_DEFAULT),
            "Space on SSD under the memory, all directories and everything in them together. `--ssd` alone, or"
                    + " `ssd.directories` without it, means `" + SSD_DEFAULT + "`. Without either: memory only.");
    static final Setting<List<Path>> SSD_DIRECTORIES = new Setting<>(
            "ssd.directories",
            "--ssd-dir",
            "",
            ValueType.PATHS,
            "Directories for blocks, one a device, each with an equal share of `ssd.capacity`; the flag may be repeated."
                    + " Without a value: `ssd` in the state directory.");
    static final Setting<Long> SSD_PAGE = new Setting<>(
            "ssd.page",
            "--ssd-page",
            "4Ki",
            ValueType.size(4 << 10, 64 << 10),
            "Unit of allocation on SSD, a power of two; from 4 TiB a directory on it has to be larger.");
    static final Setting<Double> SSD_HIGH_MARK = new Setting<>(
            "ssd.high-mark",
            "--ssd-high",
            "0.9",
            ValueType.share(),
            "Filled share of each directory at which eviction starts.");
    static final Setting<Double> SSD_LOW_MARK = new Setting<>(
            "ssd.low-mark",
            "--ssd-low",
            "0.7",
            ValueType.share(),
            "Filled share of each directory at which eviction stops; below the high mark.");
    static final Setting<String> SSD_POLICY = new Setting<>(
            "ssd.policy",
            "--ssd-policy",
            Policies.DEFAULT,
            ValueType.choice(Policies::whyNot, Policies.names().toArray(String[]::new)),
            "Order in which blocks leave the SSD.");
    static final Setting<String> SSD_PROMOTE = new Setting<>(
            "ssd.promote",
            "--ssd-promote",
            "move",
            ValueType.choice("move", "copy", "none"),
            "What a read from SSD does to the block: it moves up to memory, is copied there, or stays; memory is lost at a"
                    + " restart: `copy` keeps what was read warm.");
    static final Setting<Integer> SSD_PROMOTE_HITS = new Setting<>(
            "ssd.promote-hits",
            "--ssd-promote-hits",
            "1",
            ValueType.count(1, 1_000),
            "Reads from SSD after which a block goes up.");
    static final Setting<Boolean> SSD_FRESH = new Setting<>(
            "ssd.fresh",
            "--fresh",
            "false",
            ValueType.SWITCH,
            "Discards at the start what an earlier process left on SSD.");
    static final Setting<Long> SSD_READ_MEMORY = new Setting<>(
            "ssd.read-memory",
            "--ssd-read-memory",
            "",
            ValueType.size(1 << 20, 1L << 40),
            "Memory for values on their way from SSD, at most; the largest value has to fit. Without a value: a quarter of"
                    + " the blocks' memory, 256Mi at most.");
    static final Setting<Integer> SSD_READ_THREADS = new Setting<>(
            "ssd.read-threads",
            "--ssd-read-threads",
            "8",
            ValueType.count(1, 256),
            "Threads that read from each SSD directory: so many reads at once of up to 1 MiB, as far as half of"
                    + " `ssd.read-memory` has room for them; half as many beside them for larger values.");
    static final Setting<Path> UMBP_POLICY = new Setting<>(
            "umbp-policy",
            "--umbp-policy",
            "",
            ValueType.PATH,
            "Graph of tiers in UMBP's policy file (JSON, schema version 1), in place of `dram.capacity`, `ssd.*` and"
                    + " `tiers`.");
    static final Setting<Long> MAX_VALUE = new Setting<>(
            "pool.max-value",
            "--max-value",
            "64Mi",
            ValueType.size(1, 512 << 20),
            "Largest value a client may store; a larger one is refused and evicts nothing. It has to stay below"
                    + " the high mark of the memory, or it would be evicted at once; the default shrinks to that.");
    static final Setting<String> ON_FULL = new Setting<>(
            "pool.on-full",
            "--on-full",
            "wait",
            ValueType.choice("wait", "reject"),
            "What a put does when there is no space: wait a bounded time for an eviction, or be refused at once; where"
                    + " nothing evicts it is refused.");
    static final Setting<Long> FULL_WAIT = new Setting<>(
            "pool.full-wait",
            "--full-wait",
            "200ms",
            ValueType.WAIT_MILLIS,
            "Longest wait of a put for space, with `on-full: wait`; at most half of `pool.stalled`.");
    static final Setting<Integer> FULL_WAITERS = new Setting<>(
            "pool.full-waiters",
            "--full-waiters",
            "256",
            ValueType.count(0, 1_000_000),
            "Most puts that wait for space at once; further ones are refused.");
    static final Setting<Long> LEASE = new Setting<>(
            "pool.lease",
            "--lease",
            "2s",
            ValueType.DURATION_MILLIS,
            "How long a look-up (EXISTS) keeps the last copy of a block from eviction; its first read ends it.");
    static final Setting<Double> LEASE_SHARE = new Setting<>(
            "pool.lease-share",
            "--lease-share",
            "0.25",
            ValueType.share(),
            "Most bytes under lease, as a share of the memory.");
    static final Setting<Double> PIN_SHARE = new Setting<>(
            "pool.pin-share",
            "--pin-share",
            "0.5",
            ValueType.share(),
            "Most bytes pinned by running reads, as a share of the memory.");
    static final Setting<Long> STALLED = new Setting<>(
            "pool.stalled",
            "--stalled",
            "30s",
            ValueType.WAIT_MILLIS,
            "A read or put that makes no progress for so long loses its pin or space and its connection.");
    static final Setting<Long> PUT_LIMIT = new Setting<>(
            "pool.put-limit",
            "--put-limit",
            "10m",
            ValueType.WAIT_MILLIS,
            "A put that is not complete after so long is dropped, however steadily its bytes arrive; at least"
                    + " `pool.stalled`.");
    static final Setting<Long> DEMOTION_RETRY = new Setting<>(
            "pool.demotion-retry",
            "--demotion-retry",
            "30s",
            ValueType.DURATION_MILLIS,
            "How long a block that finds no room below is tried again before it is dropped and counted.");
    static final Setting<Integer> MOVE_WORKERS = new Setting<>(
            "pool.move-workers",
            "--move-workers",
            "4",
            ValueType.count(1, 64),
            "Threads that carry blocks between tiers, for each SSD directory.");
    static final Setting<Long> MOVE_BYTES = new Setting<>(
            "pool.move-bytes",
            "--move-bytes",
            "256Mi",
            ValueType.size(1 << 20, 1L << 40),
            "Bytes on their way between tiers at once, at most.");
    static final Setting<Long> INDEX_MEMORY = new Setting<>(
            "pool.index-memory",
            "--index-memory",
            "",
            ValueType.size(1 << 20, 1L << 40),
            "Heap for keys and entries, at most; blocks are evicted to stay below it. Without a value: half the heap.");
    static final Setting<String> REDIS_BIND = new Setting<>(
            "redis.bind",
            "--redis-bind",
            "127.0.0.1",
            ValueType.TEXT,
            "Address of the Redis port. Beyond loopback it needs `redis.password-file`.");
    static final Setting<Integer> REDIS_PORT = new Setting<>(
            "redis.port",
            "--redis-port",
            "6399",
            ValueType.count(0, 65_535),
            "Port for Redis clients; 0 takes a free one. The default moves to a free port when it is taken.");
    static final Setting<Path> REDIS_SOCKET = new Setting<>(
            "redis.socket",
            "--redis-socket",
            "",
            ValueType.PATH,
            "Unix socket for Redis clients, mode 0660. Without a value: `redis.sock` in the state directory.");
    static final Setting<String> REDIS_COMPAT = new Setting<>(
            "redis.compat",
            "--redis-compat",
            "none",
            ValueType.choice(Compat.words()),
            "Quirks of a client that port and socket answer to: `lmcache-resp` pads a miss to the header length that"
                    + " LMCache's native client waits for.");
    static final Setting<List<RespListener>> REDIS_LISTENERS = new Setting<>(
            "redis.listeners",
            "--redis-listeners",
            "",
            new ValueType<>("LIST", ListenerList::parse),
            "Further listeners: a list of `bind`, `port`, `socket`, `compat`, `tls` in the file; elsewhere as text,"
                    + " `port=6400,compat=lmcache-resp;socket=/run/kv.sock`.");
    static final Setting<Integer> TLS_PORT = new Setting<>(
            "redis.tls-port",
            "--redis-tls-port",
            "",
            ValueType.count(0, 65_535),
            "Port for Redis clients under TLS, on `redis.bind`; 0 takes a free one. Without a value: none.");
    static final Setting<Path> TLS_CERT_FILE = new Setting<>(
            "redis.tls-cert-file",
            "--redis-tls-cert-file",
            "",
            ValueType.PATH,
            "Certificate of the server, PEM, with those between it and the root behind it. A renewed file is taken up"
                    + " within 10 s.");
    static final Setting<Path> TLS_KEY_FILE = new Setting<>(
            "redis.tls-key-file",
            "--redis-tls-key-file",
            "",
            ValueType.PATH,
            "Private key of the certificate, PEM, PKCS#8 without a password.");
    static final Setting<Path> TLS_CA_FILE = new Setting<>(
            "redis.tls-ca-file",
            "--redis-tls-ca-file",
            "",
            ValueType.PATH,
            "Authorities, PEM: clients under TLS have to show a certificate of one of them. Without a value: none is"
                    + " asked for.");
    static final Setting<Path> PASSWORD_FILE = new Setting<>(
            "redis.password-file",
            "--password-file",
            "",
            ValueType.PATH,
            "File with the password that Redis clients send with AUTH. Without a value: no password.");
    static final Setting<Integer> MAX_CONNECTIONS = new Setting<>(
            "redis.max-connections",
            "--max-connections",
            "10000",
            ValueType.count(1, 1_000_000),
            "Most Redis connections at once; further ones are refused.");
    static final Setting<String> HTTP_BIND = new Setting<>(
            "http.bind",
            "--http-bind",
            "127.0.0.1",
            ValueType.TEXT,
            "Address of the admin port. Beyond loopback it needs `http.token-file`.");
    static final Setting<Integer> HTTP_PORT = new Setting<>(
            "http.port",
            "--http-port",
            "6398",
            ValueType.count(0, 65_535),
            "Port for health, metrics and status; 0 takes a free one. The default moves when it is taken.");
    static final Setting<Path> TOKEN_FILE = new Setting<>(
            "http.token-file",
            "--http-token-file",
            "",
            ValueType.PATH,
            "File with the bearer token that everything but `/livez` and `/readyz` asks for. Without a value: no token.");
    static final Setting<Boolean> ALLOW_UNAUTHENTICATED = new Setting<>(
            "allow-unauthenticated",
            "--allow-unauthenticated",
            "false",
            ValueType.SWITCH,
            "Lets listeners beyond loopback start without password or token.");
    static final Setting<Boolean> UMBP_NAMES = new Setting<>(
            "metrics.umbp-names",
            "--metrics-umbp-names",
            "false",
            ValueType.SWITCH,
            "Adds the metrics under the names that UMBP gives them.");
    static final Setting<String> LOG_LEVEL = new Setting<>(
            "log.level",
            "--log-level",
            "info",
            ValueType.choice("error", "warn", "info", "debug", "trace"),
            "Least severity that is logged.");
    static final Setting<String> LOG_FORMAT = new Setting<>(
            "log.format",
            "--log-format",
            "text",
            ValueType.choice("text", "json"),
            "Form of the log on stderr: text, or one JSON object a line.");
    static final Setting<Long> SUMMARY = new Setting<>(
            "log.summary",
            "--log-summary",
            "1m",
            ValueType.DURATION_MILLIS,
            "Time between summary lines of what moved; 0s turns them off.");
    static final Setting<Path> RECORD_FILE = new Setting<>(
            "record.file",
            "--record",
            "",
            ValueType.PATH,
            "Records what clients do with blocks to this file, for `tidemark replay FILE --simulate`; keys are hashed, values"
                    + " are not in it. Earlier ones are kept as `FILE.1`, `FILE.2` .... Without a value: nothing is recorded.");
    static final Setting<Long> RECORD_MAX_SIZE = new Setting<>(
            "record.max-size",
            "--record-max-size",
            "1Gi",
            ValueType.size(64 << 10, 1L << 44),
            "Size at which the recording is full; a use takes about 25 bytes.");
    static final Setting<Integer> RECORD_KEEP = new Setting<>(
            "record.keep",
            "--record-keep",
            "4",
            ValueType.count(1, 1_000),
            "Earlier files of recordings that are kept, `FILE.1` the latest of them; what is older is deleted.");
    static final Setting<String> RECORD_WHEN_FULL = new Setting<>(
            "record.when-full",
            "--record-when-full",
            "stop",
            ValueType.choice("stop", "rotate"),
            "What follows a full recording: `stop` ends it, `rotate` keeps the full file as `FILE.1` and begins another one.");

    private static final List<Setting<?>> ALL = List.of(
            STATE_DIR,
            DRAM_CAPACITY,
            DRAM_PAGE,
            HIGH_MARK,
            LOW_MARK,
            POLICY,
            HUGE_PAGES,
            SSD_CAPACITY,
            SSD_DIRECTORIES,
            SSD_PAGE,
            SSD_HIGH_MARK,
            SSD_LOW_MARK,
            SSD_POLICY,
            SSD_PROMOTE,
            SSD_PROMOTE_HITS,
            SSD_FRESH,
            SSD_READ_MEMORY,
            SSD_READ_THREADS,
            UMBP_POLICY,
            MAX_VALUE,
            ON_FULL,
            FULL_WAIT,
            FULL_WAITERS,
            LEASE,
            LEASE_SHARE,
            PIN_SHARE,
            STALLED,
            PUT_LIMIT,
            DEMOTION_RETRY,
            MOVE_WORKERS,
            MOVE_BYTES,
            INDEX_MEMORY,
            REDIS_BIND,
            REDIS_PORT,
            REDIS_SOCKET,
            REDIS_COMPAT,
            REDIS_LISTENERS,
            TLS_PORT,
            TLS_CERT_FILE,
            TLS_KEY_FILE,
            TLS_CA_FILE,
            PASSWORD_FILE,
            MAX_CONNECTIONS,
            HTTP_BIND,
            HTTP_PORT,
            TOKEN_FILE,
            ALLOW_UNAUTHENTICATED,
            UMBP_NAMES,
            LOG_LEVEL,
            LOG_FORMAT,
            SUMMARY,
            RECORD_FILE,
            RECORD_MAX_SIZE,
            RECORD_KEEP,
            RECORD_WHEN_FULL);

    private Settings() {}

    /** Orders of eviction for memory. */
    static String[] policies() {
        return Stream.concat(Policies.names().stream(), Stream.of(TierPlan.NO_EVICTION))
                .toArray(String[]::new);
    }

    /** All settings, in the order of the docs. */
    public static List<Setting<?>> all() {
        return ALL;
    }

    /** Settings that a graph of tiers says in its own way. */
    static List<Setting<?>> replacedByTiers() {
        return List.of(DRAM_CAPACITY, SSD_CAPACITY, SSD_DIRECTORIES, SSD_PROMOTE, SSD_PROMOTE_HITS);
    }

    /** The setting whose flag is this word, in whichever form: {@code high} and {@code HIGH} are {@code --high}. */
    static Optional<Setting<?>> byFlagWord(String word) {
        String flag = "--" + word.toLowerCase(Locale.ROOT).replace('_', '-').replace('.', '-');
        return ALL.stream().filter(setting -> setting.flag().equals(flag)).findFirst();
    }

    /** The setting with this key in the file. */
    static Optional<Setting<?>> byKey(String key) {
        return ALL.stream().filter(setting -> setting.key().equals(key)).findFirst();
    }
}
