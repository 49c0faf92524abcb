package io.tidemark.server.cli;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.server.SsdProspects;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.Places;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.FileTrouble;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark config}. */
@Command(
        name = "config",
        description = "Shows or checks the configuration.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Validate.class})
final class ConfigCommand {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by picocli
    private boolean help;

    private ConfigCommand() {}

    /** {@code tidemark config show}: secrets stay in their files, so nothing here is secret. */
    @Command(
            name = "show",
            description = "Shows every setting that `serve` would use with the same file, variables and flags, and"
                    + " where it comes from.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private Output output;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws ConfigException {
            Effective effective = SettingFlags.effective(spec.commandLine().getParseResult(), System.getenv());
            effective.warnings().forEach(output::note);
            TidemarkConfig config = effective.config();
            for (Setting<?> setting : Settings.all()) {
                show(setting, Places.text(setting, effective, config), effective.given(setting));
            }
            showTiers(config.tiers(), effective);
            return 0;
        }

        private void show(Setting<?> setting, String value, Given given) {
            boolean resolved = !given.text().isEmpty() && !given.text().equals(value);
            if (output.json()) {
                Map<String, String> line = new LinkedHashMap<>();
                line.put("key", setting.key());
                line.put("value", value);
                if (resolved) {
                    line.put("given", given.text());
                }
                line.put("from", given.origin().toString());
                output.object(line);
            } else {
                String as = resolved ? ", given as " + given.text() : "";
                output.text(String.format(
                        Locale.ROOT, "%-24s %-20s # %s%s", setting.key() + ":", value, given.origin(), as));
            }
        }

        private void showTiers(TierPlan tiers, Effective effective) {
            String from = effective.tiersFrom().map(Origin::toString).orElse("settings of dram and ssd");
            if (output.json()) {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("key", "tiers");
                line.put("value", TierGraphText.objects(tiers));
                line.put("from", from);
                output.object(line);
            } else {
                output.text(String.format(Locale.ROOT, "%-24s %-20s # %s", "tiers:", "", from));
                TierGraphText.lines(tiers).forEach(output::text);
            }
        }
    }

    /** {@code tidemark config validate}: problems end it with the code with which they end {@code serve}. */
    @Command(
            name = "validate",
            description = "Checks what `serve` would use with the same file, variables and flags, and names every"
                    + " problem with its line.")
    static final class Validate implements Callable<Integer> {
        @Mixin
        private Output output;

        @Spec
        private CommandSpec spec;

        @Parameters(
                paramLabel = "FILE",
                arity = "0..1",
                description = "YAML file with settings, as --config; given so, TIDEMARK_* variables are left aside.")
        private Optional<Path> file = Optional.empty();

        @Override
        public Integer call() {
            if (file.isPresent() && spec.commandLine().getParseResult().hasMatchedOption(PlainFlags.CONFIG)) {
                throw output.notUnderstood("FILE '" + file.get() + "' and " + PlainFlags.CONFIG
                        + " are both given; expected one file of settings, since a server reads one");
            }
            List<String> warnings = new ArrayList<>();
            List<String> problems = List.of();
            Optional<TierPlan> tiers = Optional.empty();
            try {
                Effective effective = effective();
                warnings.addAll(effective.warnings());
                TidemarkConfig config = effective.config();
                tiers = Optional.of(config.tiers());
                if (isOfThisMachine(effective)) {
                    warnings.addAll(dropped(config));
                }
            } catch (ConfigException e) {
                problems = e.problems();
            }
            show(problems, warnings, tiers);
            return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.USAGE;
        }

        /**
         * Whether the state directory is that of the server in question: a file that names none may be for any machine, and the
         * default one here is another server's.
         */
        private boolean isOfThisMachine(Effective effective) {
            return file.isEmpty() || !(effective.given(Settings.STATE_DIR).origin() instanceof Origin.Default);
        }

        private static List<String> dropped(TidemarkConfig config) {
            try {
                return SsdProspects.dropped(NativeSys.INSTANCE, config);
            } catch (IOException e) {
                return List.of("which SSD directories the last run used is not known: " + FileTrouble.reason(e));
            }
        }

        private Effective effective() throws ConfigException {
            Map<String, String> environment = file.isPresent() ? Map.of() : System.getenv();
            return SettingFlags.effective(spec.commandLine().getParseResult(), environment, file);
        }

        private void show(List<String> problems, List<String> warnings, Optional<TierPlan> tiers) {
            String what = file.map(Path::toString).orElse("configuration");
            if (output.json()) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("file", what);
                result.put("valid", problems.isEmpty());
                result.put("problems", problems);
                result.put("warnings", warnings);
                tiers.ifPresent(plan -> result.put("tiers", TierGraphText.objects(plan)));
                output.object(result);
                return;
            }
            problems.forEach(output::note);
            warnings.forEach(output::note);
            tiers.ifPresent(plan -> {
                output.text(what + ": valid");
                output.text("tiers:");
                TierGraphText.lines(plan).forEach(output::text);
            });
        }
    }
}
