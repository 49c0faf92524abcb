package io.tidemark.bench.jmh;

import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./tidemark bench jmh}: hands over to JMH. */
@Command(
        name = "jmh",
        description = "Runs the JMH benchmarks; what follows is for JMH (-h shows its options, -l lists).")
public final class JmhCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Patterns and options of JMH.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws Exception {
        Main.main(arguments.toArray(String[]::new));
        return 0;
    }
}
