package io.tidemark.bench.resp;

import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Comparison;
import io.tidemark.bench.harness.Rounds;
import io.tidemark.bench.harness.Samples;
import io.tidemark.server.config.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./tidemark bench resp}. */
@Command(
        name = "resp",
        mixinStandardHelpOptions = true,
        description =
                "PUT and GET over a Unix socket, against a raw socket that moves the same bytes and redis-server.")
public final class RespBench implements Callable<Integer> {
    private static final long SERVER_BYTES = 3L << 30;
    private static final double LATER_WARM_SECONDS = 1;
    private static final double RAW_GOAL = 0.8;
    private static final double REDIS_GOAL = 1.0;

    private final Values values = new Values();

    @Mixin
    private BenchOptions options;

    @Option(names = "--sizes", split = ",", defaultValue = "64Ki,1Mi,4Mi", description = "Value sizes.")
    private List<String> sizes;

    @Option(names = "--clients", split = ",", defaultValue = "1,8", description = "Numbers of clients.")
    private List<Integer> clients;

    @Option(names = "--batches", split = ",", defaultValue = "1,32", description = "Commands a batch.")
    private List<Integer> batches;

    @Option(names = "--ops", split = ",", defaultValue = "put,get", description = "put, get.")
    private List<String> operations;

    @Option(names = "--server", paramLabel = "URL", description = "A running server instead of one of its own.")
    private Optional<String> server = Optional.empty();

    @Override
    public Integer call() throws Exception {
        options.begin();
        try (Peer raw = Peer.rawSocket();
                Peer ours = server.isPresent() ? Peer.running(server.get()) : Peer.tidemark(SERVER_BYTES);
                Peer redis = Peer.redis(SERVER_BYTES)) {
            Rounds rounds = options.rounds();
            for (Cell cell : cells()) {
                run(cell, List.of(ours, raw, redis), rounds);
                rounds = new Rounds(rounds.count(), Math.min(rounds.warmSeconds(), LATER_WARM_SECONDS));
            }
        }
        return 0;
    }

    private void run(Cell cell, List<Peer> peers, Rounds rounds) throws Exception {
        List<ServerSide> sides = new ArrayList<>();
        try {
            for (Peer peer : peers) {
                if (peer.endpoint().isPresent()) {
                    sides.add(new ServerSide(
                            peer.name(), peer.raw(), peer.endpoint().get(), cell, values));
                }
            }
            List<Samples> samples = rounds.run(List.copyOf(sides), System::nanoTime);
            for (Samples other : samples.subList(1, samples.size())) {
                double goal = other.side().equals("raw") ? RAW_GOAL : REDIS_GOAL;
                options.result(new Comparison(cell.toString(), "GB/s", samples.getFirst(), other, goal));
            }
        } finally {
            for (ServerSide side : sides) {
                side.close();
            }
        }
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String size : sizes) {
            for (String operation : operations) {
                for (int count : clients) {
                    for (int batch : batches) {
                        int bytes = Math.toIntExact(ByteSize.parse(size));
                        cells.add(new Cell(operation.equals("put"), bytes, count, batch));
                    }
                }
            }
        }
        return cells;
    }
}
