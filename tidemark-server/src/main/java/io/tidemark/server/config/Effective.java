package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The settings in effect and where each came from: defaults, UMBP's variables, file, variables of our own and flags, the
 * later ones winning.
 *
 * <p>Every given text was understood; {@link #config} may still find that settings contradict each other. Only while these
 * are looked for is there one with values that were not understood, see {@link #isWrong}.
 */
public final class Effective {
    private final Map<String, Given> given;
    private final Map<String, Object> values;
    private final Optional<GraphDraft> graph;
    private final boolean graphSound;
    private final Set<String> wrong;
    private final List<String> warnings;

    private Effective(
            Map<String, Given> given,
            Map<String, Object> values,
            Graph graph,
            Set<String> wrong,
            List<String> warnings) {
        this.given = given;
        this.values = values;
        this.graph = graph.draft();
        this.graphSound = graph.sound();
        this.wrong = wrong;
        this.warnings = warnings;
    }

    /** The graph of tiers where one was written, and whether all of it was understood and holds. */
    private record Graph(Optional<GraphDraft> draft, boolean sound) {}

    /**
     * Joins the layers. Where something was not understood, the rest is judged all the same, so that all there is to say is
     * said at once.
     *
     * @param file the configuration file, if there is one
     * @param environment the variables of the process
     * @param flags given flags by key
     * @throws ConfigException with everything that could not be read or understood
     */
    public static Effective resolve(Optional<Path> file, Map<String, String> environment, Map<String, Given> flags)
            throws ConfigException {
        List<String> problems = new ArrayList<>();
        return join(file.map(path -> YamlLayer.read(path, Optional.empty(), problems)), environment, flags, problems);
    }

    /** As above, with the file as it was named: what is no path is one of the problems. */
    public static Effective resolveNamed(
            Optional<Given> file, Map<String, String> environment, Map<String, Given> flags) throws ConfigException {
        List<String> problems = new ArrayList<>();
        return join(file.map(name -> YamlLayer.read(name, problems)), environment, flags, problems);
    }

    private static Effective join(
            Optional<YamlLayer.Content> content,
            Map<String, String> environment,
            Map<String, Given> flags,
            List<String> problems)
            throws ConfigException {
        List<String> warnings = new ArrayList<>();
        Map<String, Given> given = new HashMap<>();
        given.putAll(UmbpLayer.read(environment, warnings));
        content.ifPresent(found -> given.putAll(found.values()));
        given.putAll(EnvironmentLayer.read(environment, warnings));
        given.putAll(flags);
        Map<String, Given> ordered = new LinkedHashMap<>();
        Map<String, Object> values = new HashMap<>();
        Set<String> wrong = new HashSet<>(content.map(YamlLayer.Content::wrong).orElse(Set.of()));
        for (Setting<?> setting : Settings.all()) {
            Given value = given.getOrDefault(setting.key(), new Given(setting.defaultText(), new Origin.Default()));
            ordered.put(setting.key(), value);
            if (!value.text().isEmpty()) {
                parse(setting, value, values, wrong, problems);
            } else if (!(value.origin() instanceof Origin.Default)) {
                problems.add(value.origin() + ": " + setting.key() + ": is empty; expected " + setting.form());
                wrong.add(setting.key());
                byDefault(setting, values);
            }
        }
        requireStateDir(ordered, wrong, problems);
        Graph graph = graph(
                content.flatMap(YamlLayer.Content::graph),
                content.stream().allMatch(YamlLayer.Content::graphUnderstood),
                Objects.requireNonNull(ordered.get(Settings.UMBP_POLICY.key())),
                Optional.ofNullable((Path) values.get(Settings.UMBP_POLICY.key())),
                problems,
                warnings);
        Effective effective = new Effective(ordered, values, graph, wrong, warnings);
        if (!problems.isEmpty()) {
            if (content.stream().allMatch(YamlLayer.Content::readable)) {
                problems.addAll(ConfigAssembly.contradictions(effective));
            }
            throw new ConfigException(problems, effective.stateDir(), effective.jsonLog());
        }
        return effective;
    }

    /** The graph of tiers: that of UMBP's policy file where one is named, else that of the configuration file. */
    private static Graph graph(
            Optional<GraphDraft> inFile,
            boolean inFileUnderstood,
            Given policy,
            Optional<Path> policyFile,
            List<String> problems,
            List<String> warnings) {
        Optional<GraphDraft> graph = inFile;
        boolean understood = inFileUnderstood;
        List<String> found = new ArrayList<>();
        boolean outranked = inFile.isPresent() && policy.origin() instanceof Origin.Foreign;
        if (!policy.text().isEmpty() && !outranked) {
            if (inFile.isPresent() && policy.origin() instanceof Origin.File) {
                found.add(policy.origin() + ": umbp-policy: has no effect beside the tiers of "
                        + inFile.get().at() + "; expected only one of them");
            }
            graph = Optional.of(policyFile
                    .map(path -> UmbpPolicy.read(path, policy.origin(), found, warnings))
                    .orElseGet(() -> new GraphDraft(policy.origin(), List.of(), Set.of(), false)));
            understood = found.isEmpty() && policyFile.isPresent();
        }
        graph.ifPresent(draft -> GraphRules.check(draft, found, warnings));
        problems.addAll(found);
        return new Graph(graph, understood && found.isEmpty());
    }

    /** Where the state directory follows from the environment, that has to name a path too. */
    private static void requireStateDir(Map<String, Given> given, Set<String> wrong, List<String> problems) {
        String key = Settings.STATE_DIR.key();
        if (Objects.requireNonNull(given.get(key)).text().isEmpty()) {
            try {
                StatePath.byDefault();
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage() + ", or " + Settings.STATE_DIR.flag());
                wrong.add(key);
            }
        }
    }

    private static void parse(
            Setting<?> setting, Given given, Map<String, Object> values, Set<String> wrong, List<String> problems) {
        try {
            values.put(setting.key(), setting.type().parser().apply(given.text()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            problems.add(given.origin() + ": " + setting.key() + ": " + e.getMessage());
            wrong.add(setting.key());
            byDefault(setting, values);
        }
    }

    /** Stands in for a value that was not understood, so that the others can be judged. */
    private static void byDefault(Setting<?> setting, Map<String, Object> values) {
        if (!setting.defaultText().isEmpty()) {
            values.put(setting.key(), setting.type().parser().apply(setting.defaultText()));
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

    /** The state directory; empty: it was not understood. */
    Optional<Path> stateDir() {
        return isWrong(Settings.STATE_DIR)
                ? Optional.empty()
                : Optional.of(
                        find(Settings.STATE_DIR).orElseGet(StatePath::byDefault).toAbsolutePath());
    }

    boolean jsonLog() {
        return get(Settings.LOG_FORMAT).equals("json");
    }

    /** Whether the graph of tiers, if there is one, was understood and holds. */
    boolean graphIsSound() {
        return graphSound;
    }

    /** Whether the value of a setting was given and not understood: what follows from it cannot be judged. */
    boolean isWrong(Setting<?> setting) {
        return wrong.contains(setting.key());
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
