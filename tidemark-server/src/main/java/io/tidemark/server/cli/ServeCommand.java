package io.tidemark.server.cli;

import io.tidemark.server.Endpoints;
import io.tidemark.server.Logging;
import io.tidemark.server.Shutdown;
import io.tidemark.server.StartException;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import io.tidemark.server.config.TidemarkConfig;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code tidemark serve}. SIGTERM or SIGINT ends it with exit code 0; with {@code --json} it writes one object to stdout
 * once it serves.
 */
@Command(name = "serve", description = "Runs the server until it is told to stop.", sortOptions = false)
final class ServeCommand implements Callable<Integer> {
    /** Time for commands under way to finish; the rest of {@link Shutdown}'s limit is for everything else. */
    private static final long DRAIN_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    /**
     * Whether errors of a command line that was not understood belong into a log of JSON: it asks for one all the same, or
     * says nothing of it and the environment does.
     */
    static boolean wantsJsonLog(CommandLine line, String[] args, Map<String, String> environment) {
        if (!line.getCommandName().equals("serve")) {
            return false;
        }
        String flag = "--log-format";
        Optional<String> asked = Optional.ofNullable(environment.get("TIDEMARK_LOG_FORMAT"));
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(flag + "=")) {
                asked = Optional.of(args[i].substring(flag.length() + 1));
            } else if (args[i].equals(flag) && i + 1 < args.length) {
                asked = Optional.of(args[i + 1]);
            }
        }
        return asked.filter("json"::equals).isPresent();
    }

    /** Writes an error as the only line of a log of JSON. */
    static void logAsJson(String problem) {
        Logging.configure(new TidemarkConfig.Log("error", true, 0));
        LOG.error(problem);
    }

    @Override
    public Integer call() throws ConfigException, InterruptedException {
        Shutdown shutdown = Shutdown.onSignals();
        try {
            Effective effective = SettingFlags.effective(spec.commandLine().getParseResult(), System.getenv());
            return serve(effective, effective.config(), shutdown);
        } catch (ConfigException e) {
            if (!e.jsonLog()) {
                throw e;
            }
            e.problems().forEach(ServeCommand::logAsJson);
            return CommandLine.ExitCode.USAGE;
        }
    }

    private int serve(Effective effective, TidemarkConfig config, Shutdown shutdown) throws InterruptedException {
        Logging.configure(config.log());
        effective.warnings().forEach(LOG::warn);
        printSettings(effective);
        TierGraphText.oneLineEach(config.tiers()).forEach(LOG::info);
        try (TidemarkServer server = TidemarkServer.start(config, VersionCommand.version(), shutdown::requested)) {
            printReady(server);
            shutdown.await();
            server.stop(DRAIN_MILLIS);
            shutdown.done();
            LOG.info("stopped");
        } catch (StartException e) {
            if (shutdown.requested()) {
                LOG.info("stopped while starting");
                return CommandLine.ExitCode.OK;
            }
            if (!config.log().json()) {
                throw new CommandFailed(String.valueOf(e.getMessage()), e);
            }
            LOG.error(String.valueOf(e.getMessage()));
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    private static void printSettings(Effective effective) {
        List<String> given = new ArrayList<>();
        List<String> defaults = new ArrayList<>();
        for (Setting<?> setting : Settings.all()) {
            Given value = effective.given(setting);
            if (!(value.origin() instanceof Origin.Default)) {
                given.add(setting.key() + "=" + value.text() + " (" + value.origin() + ")");
            } else if (!value.text().isEmpty()) {
                defaults.add(setting.key() + "=" + value.text());
            }
        }
        effective.tiersFrom().ifPresent(origin -> given.add("tiers (" + origin + ")"));
        LOG.info("settings given: {}", given.isEmpty() ? "none" : String.join(", ", given));
        LOG.debug("settings by default: {}", String.join(", ", defaults));
    }

    private void printReady(TidemarkServer server) {
        long millis = ManagementFactory.getRuntimeMXBean().getUptime();
        Endpoints where = server.endpoints();
        LOG.info(
                "ready after {} ms: redis {} {}, http {}",
                millis,
                String.join(" ", where.redis()),
                String.join(" ", where.sockets()),
                where.http());
        if (output.json()) {
            Map<String, Object> ready = new LinkedHashMap<>();
            ready.put("event", "ready");
            ready.put("start_milliseconds", millis);
            ready.put("server", server.endpoints());
            output.object(ready);
        }
    }
}
