package io.tidemark.server.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the variables of UMBP that are honoured into values by key; they stand below the file. UMBP's own rule holds: what
 * is not set or empty says nothing, a bad value is one warning and as good as not set.
 */
final class UmbpLayer {
    private static final String DRAM = "UMBP_DRAM_";
    private static final String SSD = "UMBP_SSD_";
    private static final String SSD_ENABLED = "UMBP_SSD_ENABLED";
    private static final String OFF = "0";

    private final Map<String, String> environment;
    private final List<String> warnings;
    private final Map<String, Given> values = new LinkedHashMap<>();

    private UmbpLayer(Map<String, String> environment, List<String> warnings) {
        this.environment = environment;
        this.warnings = warnings;
    }

    /** The values in the environment, by setting. */
    static Map<String, Given> read(Map<String, String> environment, List<String> warnings) {
        UmbpLayer layer = new UmbpLayer(environment, warnings);
        layer.readAll();
        layer.dropCrossedMarks(Settings.HIGH_MARK, Settings.LOW_MARK);
        layer.dropCrossedMarks(Settings.SSD_HIGH_MARK, Settings.SSD_LOW_MARK);
        return layer.values;
    }

    private void readAll() {
        Map<String, UmbpVariable> honoured = new HashMap<>();
        UmbpVariable.HONOURED.forEach(variable -> honoured.put(variable.name(), variable));
        Set<String> known = new TreeSet<>(honoured.keySet());
        known.addAll(UmbpVariable.WITHOUT_EFFECT.keySet());
        boolean ssd = !OFF.equals(environment.get(SSD_ENABLED));
        new TreeMap<>(environment).forEach((name, text) -> {
            if (text.isBlank() || (name.startsWith(SSD) && !ssd)) {
                return;
            }
            UmbpVariable variable = honoured.get(name);
            if (variable != null) {
                take(variable, text);
            } else if (name.startsWith(DRAM) || name.startsWith(SSD) || UmbpVariable.WITHOUT_EFFECT.containsKey(name)) {
                without(name, text, known);
            }
        });
    }

    private void take(UmbpVariable variable, String text) {
        try {
            String translated = variable.translation().apply(text);
            if (variable.name().equals(SSD_ENABLED)) {
                putIfFree(Settings.SSD_CAPACITY, Settings.SSD_DEFAULT, variable);
                return;
            }
            for (String key : variable.settings()) {
                Setting<?> setting = Settings.byKey(key).orElseThrow();
                setting.type().check(translated);
                values.put(key, new Given(translated, new Origin.Foreign(variable.name())));
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            warnings.add("variable " + variable.name() + " left out: " + e.getMessage());
        }
    }

    /** The size of an SSD tier that is only switched on; the variable that says a size comes earlier. */
    private void putIfFree(Setting<?> setting, String text, UmbpVariable variable) {
        values.putIfAbsent(setting.key(), new Given(text, new Origin.Foreign(variable.name())));
    }

    private void without(String name, String text, Set<String> known) {
        String holds = UmbpVariable.WITHOUT_EFFECT.get(name);
        if (holds == null) {
            warnings.add("variable " + name + " is none of UMBP's that are known here" + Nearest.hint(name, known));
        } else if (!holds.equals(text)) {
            warnings.add("variable " + name + " has no effect here"
                    + (name.equals(UmbpVariable.SSD_DURABILITY)
                            ? ": writes are answered before they are synced, as with 'relaxed'"
                            : ""));
        }
    }

    /** Marks that are the wrong way round are bad values, both of them. */
    private void dropCrossedMarks(Setting<Double> high, Setting<Double> low) {
        if (number(low) < number(high)) {
            return;
        }
        for (Setting<Double> mark : List.of(high, low)) {
            Given dropped = values.remove(mark.key());
            if (dropped != null) {
                warnings.add(dropped.origin() + " left out: " + mark.key() + " " + dropped.text()
                        + " crosses the other mark; expected the low one below the high one");
            }
        }
    }

    private double number(Setting<Double> mark) {
        Given given = values.get(mark.key());
        return mark.type().parser().apply(given == null ? mark.defaultText() : given.text());
    }
}
