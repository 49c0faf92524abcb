package io.tidemark.server.cli;

import java.util.Optional;

/**
 * Entry point of the command {@code tidemark}. A server with a plain command line starts without picocli, see
 * {@link PlainFlags}; this class and those on that way name none of its classes where the JVM would look at them, or they were
 * not taken into the cache of linked classes either (ADR 10).
 *
 * <p>Exit codes: 0 it worked, 1 it failed, 2 the command or its configuration was not understood; {@code volume} ends
 * with 1 for a setting that cannot be meant, as the evictor it replaces does.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("serve")) {
            Early.begin();
            Optional<PlainFlags> flags = PlainFlags.read(args, 1);
            if (flags.isPresent()) {
                System.exit(PlainStart.run(flags.get()));
            }
        }
        if (args.length == 1 && args[0].equals(ServeWarmUp.COMMAND)) {
            ServeWarmUp.run();
            System.exit(Serving.OK);
        }
        System.exit(Commands.commandLine().execute(args));
    }
}
