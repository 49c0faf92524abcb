package io.tidemark.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** {@code tidemark version}. */
@Command(name = "version", description = "Shows the versions of Tidemark and of its JVM.")
final class VersionCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Override
    public Integer call() {
        if (output.json()) {
            Map<String, String> versions = new LinkedHashMap<>();
            versions.put("version", version());
            versions.put("java", System.getProperty("java.version"));
            versions.put("vm", System.getProperty("java.vm.name"));
            output.object(versions);
        } else {
            output.text(line());
        }
        return 0;
    }

    /** Version of this build; {@code development} when it does not run from a jar. */
    static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    private static String line() {
        return "tidemark " + version() + " (Java " + System.getProperty("java.version") + ")";
    }

    /** Feeds {@code tidemark --version}. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }
}
