package io.tidemark.server.cli;

import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Flags of the server as they are mostly given, read without picocli: its classes are too old for the cache of linked classes
 * (ADR 10), and making a command line of all commands took a third of a start. Whatever is not plain, and all that is wrong, is
 * left to picocli, which knows what to say.
 *
 * @param values of settings, by key
 * @param config the name of the file of {@code --config}
 */
record PlainFlags(Map<String, Given> values, Optional<String> config, boolean json) {
    static final String CONFIG = "--config";
    static final String JSON = "--json";
    static final String CONFIG_VARIABLE = "TIDEMARK_CONFIG";

    /** Reads what follows the command; empty: not plain. */
    static Optional<PlainFlags> read(String[] args, int from) {
        Map<String, Setting<?>> known =
                Settings.all().stream().collect(Collectors.toMap(Setting::flag, Function.identity()));
        Map<String, String> texts = new LinkedHashMap<>();
        for (int at = from; at < args.length; at++) {
            String[] parts = args[at].split("=", 2);
            Optional<Setting<?>> setting = Optional.ofNullable(known.get(parts[0]));
            boolean takesValue = setting.isPresent() || parts[0].equals(CONFIG);
            if (!takesValue && !args[at].equals(JSON)) {
                return Optional.empty();
            }
            String text = parts.length == 2 ? parts[1] : "";
            if (parts.length == 1 && takesValue) {
                boolean valueFollows = at + 1 < args.length && !args[at + 1].startsWith("-");
                Optional<String> bare = setting.flatMap(Setting::bareText);
                if (!valueFollows && bare.isEmpty()) {
                    return Optional.empty();
                }
                text = valueFollows ? args[++at] : bare.orElseThrow();
            }
            if ((takesValue && text.isEmpty())
                    || isSpecial(text)
                    || !add(texts, setting.filter(Setting::many).isPresent(), parts[0], text)) {
                return Optional.empty();
            }
        }
        return Optional.of(of(texts));
    }

    /** Names of files with arguments, and whatever may be quoted. */
    private static boolean isSpecial(String text) {
        return text.startsWith("@") || text.indexOf('"') >= 0 || text.indexOf('\'') >= 0;
    }

    /** False: it is there, and may not be repeated. */
    private static boolean add(Map<String, String> texts, boolean many, String name, String text) {
        String before = texts.putIfAbsent(name, text);
        if (before != null && many) {
            texts.put(name, before + "," + text);
        }
        return before == null || many;
    }

    private static PlainFlags of(Map<String, String> texts) {
        Map<String, Given> values = new LinkedHashMap<>();
        for (Setting<?> setting : Settings.all()) {
            String text = texts.get(setting.flag());
            if (text != null) {
                values.put(setting.key(), new Given(text, new Origin.Flag(setting.flag())));
            }
        }
        return new PlainFlags(values, Optional.ofNullable(texts.get(CONFIG)), texts.containsKey(JSON));
    }

    /** The settings in effect with these flags. */
    Effective effective(Map<String, String> environment) throws ConfigException {
        Optional<Given> inVariable = Optional.ofNullable(environment.get(CONFIG_VARIABLE))
                .filter(name -> !name.isBlank())
                .map(name -> new Given(name, new Origin.Variable(CONFIG_VARIABLE)));
        Optional<Given> file = config.map(name -> new Given(name, new Origin.Flag(CONFIG)));
        return Effective.resolveNamed(file.or(() -> inVariable), environment, values);
    }
}
