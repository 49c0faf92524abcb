package io.tidemark.bench;

import io.tidemark.bench.index.IndexBench;
import io.tidemark.bench.jmh.JmhCommand;
import io.tidemark.bench.pool.AllocBench;
import io.tidemark.bench.pool.IndexMemoryBench;
import io.tidemark.bench.pool.LookupBench;
import io.tidemark.bench.pool.PutGetBench;
import io.tidemark.bench.resp.RespBench;
import io.tidemark.bench.ssd.SsdBench;
import io.tidemark.bench.ssd.StartBench;
import io.tidemark.bench.stress.JcstressCommand;
import io.tidemark.bench.volume.VolumeBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Entry point of {@code ./tidemark bench}. Every benchmark is a subcommand in a package of its own, on top of
 * {@code bench.harness}.
 */
@Command(
        name = "bench",
        description = "Side-by-side benchmarks: what Tidemark does, as a ratio to what the machine or a peer does.",
        subcommands = {
            PutGetBench.class,
            RespBench.class,
            AllocBench.class,
            IndexMemoryBench.class,
            LookupBench.class,
            IndexBench.class,
            StartBench.class,
            SsdBench.class,
            VolumeBench.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK")
public final class BenchMain {
    private BenchMain() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The whole command line, ready to execute. */
    static CommandLine commandLine() {
        CommandLine jmh = new CommandLine(new JmhCommand()).setUnmatchedOptionsArePositionalParams(true);
        CommandLine jcstress = new CommandLine(new JcstressCommand()).setUnmatchedOptionsArePositionalParams(true);
        return new CommandLine(new BenchMain()).addSubcommand(jmh).addSubcommand(jcstress);
    }
}
