package io.tidemark.bench.stress;

import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jcstress.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./tidemark bench jcstress}: hands over to jcstress. */
@Command(
        name = "jcstress",
        description =
                "Runs the jcstress tests; what follows is for jcstress (-h shows its options, -l lists, -m quick is"
                        + " shorter).")
public final class JcstressCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Options of jcstress.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws Exception {
        Main.main(arguments.toArray(String[]::new));
        return 0;
    }
}
