package io.tidemark.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads {@code TIDEMARK_*} variables into values by key.
 *
 * <p>A variable that names no setting is a warning, not an error: Kubernetes sets {@code TIDEMARK_PORT=tcp://...} and
 * the like in every pod beside a service called {@code tidemark}. Its values are told by their form and left out.
 */
final class EnvironmentLayer {
    private static final String PREFIX = "TIDEMARK_";
    private static final String CONFIG = "TIDEMARK_CONFIG";
    private static final Pattern SERVICE_LINK = Pattern.compile("TIDEMARK_.*(SERVICE_(HOST|PORT.*)|PORT_\\d+_.*)");
    /** Variables that are read elsewhere: by the start script, the tests and the command line. */
    private static final Set<String> OTHERS = Set.of(
            CONFIG,
            "TIDEMARK_HEAP",
            "TIDEMARK_DIRECT",
            "TIDEMARK_JAVA_OPTS",
            "TIDEMARK_AOT",
            "TIDEMARK_ROOT",
            "TIDEMARK_SHARED");

    private EnvironmentLayer() {}

    /** Who knows the flags tries a variable by the flag's word first. */
    private static String hint(String name, Set<String> known) {
        return Settings.byFlagWord(name.substring(PREFIX.length()))
                .map(setting -> "; did you mean '" + setting.variable() + "'?")
                .orElseGet(() -> Nearest.hint(name, known));
    }

    /** The values in the environment, by setting. Empty variables count as not given, with a warning. */
    static Map<String, Given> read(Map<String, String> environment, List<String> warnings) {
        Map<String, String> byVariable = new LinkedHashMap<>();
        Settings.all().forEach(setting -> byVariable.put(setting.variable(), setting.key()));
        Map<String, Given> values = new LinkedHashMap<>();
        new TreeMap<>(environment).forEach((name, text) -> {
            String key = byVariable.get(name);
            if (text.isEmpty() && (key != null || name.equals(CONFIG))) {
                warnings.add("variable " + name + " is empty and counts as not set");
            }
            if (!name.startsWith(PREFIX) || text.isEmpty() || OTHERS.contains(name)) {
                return;
            }
            if (text.startsWith("tcp://")
                    || text.startsWith("udp://")
                    || SERVICE_LINK.matcher(name).matches()) {
                warnings.add("variable " + name + " left out: it looks like a Kubernetes service link");
            } else if (key == null) {
                warnings.add("variable " + name + " names no setting" + hint(name, byVariable.keySet()));
            } else {
                values.put(key, new Given(text, new Origin.Variable(name)));
            }
        });
        return values;
    }
}
