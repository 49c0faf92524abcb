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
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of {@code tidemark serve} from its settings on.
 *
 * @param ready told once the server serves
 */
record Serving(Effective effective, TidemarkConfig config, Consumer<Ready> ready) {
    static final Consumer<Ready> SAYS_NOTHING = event -> {};

    /** Exit codes. */
    static final int OK = 0;

    static final int FAILED = 1;
    static final int NOT_UNDERSTOOD = 2;

    /** Reads the settings; asked once only, for a file of settings or of a secret may be a pipe. */
    interface Source {
        Effective read() throws ConfigException;
    }

    /**
     * What {@code --json} writes once the server serves.
     *
     * @param startMilliseconds since the start of the process
     */
    record Ready(String event, long startMilliseconds, Endpoints server) {}

    /** Time for commands under way to finish; the rest of {@link Shutdown}'s limit is for everything else. */
    private static final long DRAIN_MILLIS = 700;

    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    /** Reads the settings and serves with them, or tells what is wrong with them; answers the exit code. */
    static int run(Source source, Consumer<Ready> ready, PrintWriter err) throws InterruptedException {
        Serving serving;
        try {
            Effective effective = source.read();
            serving = new Serving(effective, effective.config(), ready);
        } catch (ConfigException e) {
            if (!e.jsonLog()) {
                return Failures.tell(e, err);
            }
            e.problems().forEach(Serving::logAsJson);
            return NOT_UNDERSTOOD;
        }
        return serving.run(Shutdown.onSignals());
    }

    /** Writes an error as the only line of a log of JSON. */
    static void logAsJson(String problem) {
        Logging.configure(new TidemarkConfig.Log("error", true, 0));
        LOG.error(problem);
    }

    /**
     * Serves until the process is told to stop; answers the exit code.
     *
     * @throws CommandFailed when the server does not start
     */
    int run(Shutdown shutdown) throws InterruptedException {
        Logging.configure(config.log());
        effective.warnings().forEach(LOG::warn);
        printSettings();
        TierGraphText.oneLineEach(config.tiers()).forEach(LOG::info);
        try (TidemarkServer server = TidemarkServer.start(config, VersionCommand.version(), shutdown::requested)) {
            shutdown.toldBy(server::unfinished);
            printReady(server);
            shutdown.await();
            server.stop(DRAIN_MILLIS);
            shutdown.done();
            LOG.info("stopped");
        } catch (StartException e) {
            if (shutdown.requested()) {
                LOG.info("stopped while starting");
                return OK;
            }
            if (!config.log().json()) {
                throw new CommandFailed(String.valueOf(e.getMessage()), e);
            }
            LOG.error(String.valueOf(e.getMessage()));
            return FAILED;
        }
        return OK;
    }

    private void printSettings() {
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
        ready.accept(new Ready("ready", millis, where));
    }
}
