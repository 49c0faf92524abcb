package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The settings in effect and where each came from: defaults, UMBP's variables, file, variables of our own and flags, the
 * later ones winning.
 *
 * <p>Every given text was understood; {@link #config} may still find that settings contradict each other.
 */
public final class Effective {
    private final Map<String, Given> given;
    private final Map<String, Object> values;
    private final Optional<GraphDraft> graph;
    private final List<String> warnings;

    private Effective(
            Map<String, Given> given, Map<String, Object> values, Optional<GraphDraft> graph, List<String> warnings) {
        this.given = given;
        this.values = values;
        this.graph = graph;
        this.warnings = warnings;
    }

    /**
     * Joins the layers.
     *
     * @param file the configuration file, if there is one
     * @param environment the variables of the process
     * @param flags given flags by key
     * @throws ConfigException with everything that could not be read or understood
     */
    public static Effective resolve(Optional<Path> file, Map<String, String> environment, Map<String, Given> flags)
            throws ConfigException {
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Map<String, Given> given = new HashMap<>();
        given.putAll(UmbpLayer.read(environment, warnings));
        Optional<YamlLayer.Content> content = file.map(path -> YamlLayer.read(path, problems));
        content.ifPresent(found -> given.putAll(found.values()));
        given.putAll(EnvironmentLayer.read(environment, warnings));
        given.putAll(flags);
        Map<String, Given> ordered = new LinkedHashMap<>();
        Map<String, Object> values = new HashMap<>();
        for (Setting<?> setting : Settings.all()) {
            Given value = given.getOrDefault(setting.key(), new Given(setting.defaultText(), new Origin.Default()));
            ordered.put(setting.key(), value);
            if (!value.text().isEmpty()) {
                parse(setting, value, values, problems);
            } else if (!(value.origin() instanceof Origin.Default)) {
                problems.add(value.origin() + ": " + setting.key() + ": is empty; expected " + setting.form());
            }
        }
        Optional<GraphDraft> graph = graph(
                content.flatMap(YamlLayer.Content::graph),
                Objects.requireNonNull(ordered.get(Settings.UMBP_POLICY.key())),
                problems,
                warnings);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new Effective(ordered, values, graph, warnings);
    }

    /** The graph of tiers: that of UMBP's policy file where one is named, else that of the configuration file. */
    private static Optional<GraphDraft> graph(
            Optional<GraphDraft> inFile, Given policy, List<String> problems, List<String> warnings) {
        Optional<GraphDraft> graph = inFile;
        List<String> found = new ArrayList<>();
        boolean outranked = inFile.isPresent() && policy.origin() instanceof Origin.Foreign;
        if (!policy.text().isEmpty() && !outranked) {
            if (inFile.isPresent() && policy.origin() instanceof Origin.File) {
                found.add(policy.origin() + ": umbp-policy: has no effect beside the tiers of "
                        + inFile.get().at() + "; expected only one of them");
            }
            graph = Optional.of(UmbpPolicy.read(Path.of(policy.text()), found, warnings));
        }
        if (found.isEmpty() && problems.isEmpty()) {
            graph.ifPresent(draft -> GraphRules.check(draft, found, warnings));
        }
        problems.addAll(found);
        return graph;
    }

    private static void parse(Setting<?> setting, Given given, Map<String, Object> values, List<String> problems) {
        try {
            values.put(setting.key(), setting.type().parser().apply(given.text()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            problems.add(given.origin() + ": " + setting.key() + ": " + e.getMessage());
        }
    }

    /** Checked configuration made of these settings. */
    public TidemarkConfig config() throws ConfigException {
        return ConfigAssembly.assemble(this);
    }

    /** Text and origin of a setting. An empty text: not given and without a default. */
    public Given given(Setting<?> setting) {
        return Objects.requireNonNull(given.get(setting.key()), setting.key());
    }

    /** The graph of tiers, where one was written. */
    Optional<GraphDraft> graph() {
        return graph;
    }

    /** Where the tiers were written; empty: they follow from the settings of memory and SSD. */
    public Optional<Origin> tiersFrom() {
        return graph.map(GraphDraft::at);
    }

    /** Things that are odd but stop nothing. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Whether somebody gave this setting, and meant this server. */
    boolean isMeant(Setting<?> setting) {
        return switch (given(setting).origin()) {
            case Origin.Default _, Origin.Foreign _ -> false;
            case Origin.File _, Origin.Variable _, Origin.Flag _ -> true;
        };
    }

    /** Whether nobody gave this setting. */
    boolean isDefault(Setting<?> setting) {
        return given(setting).origin() instanceof Origin.Default;
    }

    /** The value of a setting; empty when it was not given and has no default. */
    @SuppressWarnings("unchecked") // the value was made by the parser of this same setting
    <T> Optional<T> find(Setting<T> setting) {
        return Optional.ofNullable((T) values.get(setting.key()));
    }

    /** The value of a setting that has a default. */
    <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow(() -> new IllegalStateException(setting.key() + " has no value"));
    }
}
