package io.tidemark.server.replay;

import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Replays a bundled slice of a production trace against a fresh Tidemark server with real bytes, and then against Redis
 * of the same size where there is one, and shows both in a live table.
 */
public final class Demo {
    private static final String SLICE = "conversation-slice.jsonl.gz";
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final long MEMORY_BYTES = 512L << 20;
    private static final int WARM_BLOCK_BYTES = 1024;
    private static final double PLAIN_SECONDS = 2;
    private static final long CONTROL_MILLIS = 10_000;

    private final PrintWriter progress;
    private final boolean terminal;
    private final LiveScreen screen;
    private final List<DemoColumn> done = new ArrayList<>();
    private double nextPlainSeconds;

    /**
     * A demo of its own; to be run once.
     *
     * @param progress where the live table goes
     * @param terminal whether it may be redrawn in place
     */
    public Demo(PrintWriter progress, boolean terminal) {
        this.progress = progress;
        this.terminal = terminal;
        this.screen = new LiveScreen(progress);
    }

    /** What came of it: the run against Tidemark, the one against Redis if there was one, and the final table. */
    public record Outcome(ReplayReport tidemark, Optional<ReplayReport> redis, List<String> table) {
        public Outcome {
            table = List.copyOf(table);
        }
    }

    /**
     * Runs it.
     *
     * @param redis a running Redis to stand beside; empty for a {@code redis-server} of our own, where it is installed
     */
    public Outcome run(Optional<Endpoint> redis) throws IOException, InterruptedException {
        Trace trace = slice();
        say("%,d requests of a production trace, %,d blocks of %d KiB (%,d different), %d MiB of memory"
                .formatted(
                        trace.requests(),
                        trace.references(),
                        BLOCK_BYTES >> 10,
                        trace.uniqueBlocks(),
                        MEMORY_BYTES >> 20));
        ReplayReport ours;
        try (ChildServer server = ChildServer.tidemark(MEMORY_BYTES)) {
            warmUp(trace, server);
            ours = replay("tidemark", trace, server.endpoint());
        }
        Optional<ReplayReport> theirs = besides(trace, redis);
        screen.clear();
        return new Outcome(ours, theirs, DemoTable.lines(done));
    }

    private Optional<ReplayReport> besides(Trace trace, Optional<Endpoint> redis)
            throws IOException, InterruptedException {
        if (redis.isPresent()) {
            return Optional.of(replay("redis", trace, redis.get()));
        }
        Optional<Path> program = ChildServer.redisProgram();
        if (program.isEmpty()) {
            say("no redis-server on the PATH to stand beside");
            return Optional.empty();
        }
        say("the same against redis-server, allkeys-lru, with the same memory");
        try (ChildServer server = ChildServer.redis(program.get(), MEMORY_BYTES)) {
            warmUp(trace, server);
            return Optional.of(replay("redis", trace, server.endpoint()));
        }
    }

    /** Runs the compilers and caches of client and server warm with short blocks, and empties the server again. */
    private void warmUp(Trace trace, ChildServer server) throws IOException, InterruptedException {
        say("warming up");
        ReplayOptions options = new ReplayOptions(server.endpoint(), WARM_BLOCK_BYTES, 1, Pace.ASAP);
        new Replayer(trace, options, System::nanoTime).run((counts, total, seconds) -> {});
        try (RespConnection control = control(server.endpoint())) {
            Reply reply = control.call("FLUSHALL");
            if (!(reply instanceof Reply.Status)) {
                throw new ServerRefusedException("FLUSHALL", reply);
            }
        }
    }

    private ReplayReport replay(String name, Trace trace, Endpoint endpoint) throws IOException, InterruptedException {
        ReplayOptions options = new ReplayOptions(endpoint, BLOCK_BYTES, 1, Pace.ASAP);
        nextPlainSeconds = 0;
        try (RespConnection control = control(endpoint)) {
            ServerInfo before = ServerInfo.read(control);
            ReplayReport report = new Replayer(trace, options, System::nanoTime)
                    .run((counts, total, seconds) -> show(new DemoColumn(
                            name,
                            counts,
                            total,
                            seconds,
                            ServerInfo.read(control).since(before))));
            done.add(new DemoColumn(
                    name,
                    report.counts(),
                    trace.requests(),
                    report.seconds(),
                    ServerInfo.read(control).since(before)));
            return report;
        }
    }

    private static RespConnection control(Endpoint endpoint) throws IOException {
        return RespConnection.open(endpoint, 0, CONTROL_MILLIS);
    }

    private void show(DemoColumn running) {
        if (terminal) {
            List<DemoColumn> columns = new ArrayList<>(done);
            columns.add(running);
            screen.draw(DemoTable.lines(columns));
        } else if (running.seconds() >= nextPlainSeconds) {
            nextPlainSeconds = running.seconds() + PLAIN_SECONDS;
            say(DemoTable.progress(running));
        }
    }

    private void say(String line) {
        progress.println(line);
        progress.flush();
    }

    /** The slice, by way of a file of its own: traces are read from files. */
    private static Trace slice() throws IOException {
        Path folder = Files.createTempDirectory("tidemark-demo");
        Path file = folder.resolve(SLICE);
        try (InputStream in = Objects.requireNonNull(Demo.class.getResourceAsStream(SLICE), SLICE)) {
            Files.copy(in, file);
            return TraceReader.read(file);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }
}
