package io.tidemark.server.cli;

import io.tidemark.server.volume.EndSignals;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Entry point of the command {@code tidemark}. A server with a plain command line starts without picocli, see
 * {@link PlainFlags}; this class and those on that way name none of its classes where the JVM would look at them, or they were
 * not taken into the cache of linked classes either (ADR 10).
 *
 * <p>Exit codes: 0 it worked, 1 it failed, 2 the command or its configuration was not understood; {@code volume} ends
 * with 1 for a setting that cannot be meant, as the evictor it replaces does.
 */
public final class Main {
    /** Commands below {@code volume}, behind its flags or before; a flag's value of such a name has signals listened to a little later. */
    static final Set<String> BELOW_VOLUME = Set.of("scan", "adopt", "status");

    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("serve")) {
            Early.begin();
            Optional<PlainFlags> flags = PlainFlags.read(args, 1);
            if (flags.isPresent()) {
                System.exit(PlainStart.run(flags.get()));
            }
        }
        if (isEvictor(args)) {
            EndSignals.listen(); // first: until then a signal ends the JVM with a code of its own
        }
        if (args.length == 1 && args[0].equals(ServeWarmUp.COMMAND)) {
            ServeWarmUp.run();
            System.exit(Serving.OK);
        }
        System.exit(Commands.commandLine().execute(args));
    }

    /** Whether the process is to run on; a command below {@code volume} ends by a signal as any other command does. */
    static boolean isEvictor(String... args) {
        return args.length > 0
                && args[0].equals("volume")
                && Arrays.stream(args).skip(1).noneMatch(BELOW_VOLUME::contains);
    }
}
