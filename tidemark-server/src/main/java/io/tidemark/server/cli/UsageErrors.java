package io.tidemark.server.cli;

import io.tidemark.server.config.Nearest;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in the words of every other error: what was wrong, what was expected. */
final class UsageErrors {
    private UsageErrors() {}

    /** One line. */
    static String text(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        return switch (e) {
            case UnmatchedArgumentException unmatched
            when !unmatched.getUnmatched().isEmpty() -> unmatched(unmatched, spec);
            case MissingParameterException missing when !missing.getMissing().isEmpty() -> missing(missing);
            case OverwrittenOptionException twice
            when twice.getOverwritten() instanceof OptionSpec option ->
                "option '" + option.longestName() + "' is given twice; expected it once";
            default ->
                String.valueOf(e.getMessage()).startsWith("Missing required subcommand")
                        ? missingCommand(spec)
                        : value(e);
        };
    }

    private static String unmatched(UnmatchedArgumentException e, CommandSpec spec) {
        String word = e.getUnmatched().getFirst();
        if (word.startsWith("-") && word.length() > 1) {
            String name = word.split("=", 2)[0];
            return "unknown option '" + name + "'" + hint(name, optionNames(spec));
        }
        if (spec.subcommands().isEmpty() || !spec.positionalParameters().isEmpty()) {
            return "unexpected argument '" + word + "'; expected " + expected(spec);
        }
        List<String> known = commandNames(spec);
        return "unknown command '" + word + "'; expected one of " + String.join(", ", known) + hint(word, known);
    }

    private static List<String> commandNames(CommandSpec spec) {
        return spec.subcommands().entrySet().stream()
                .filter(sub -> !sub.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static String expected(CommandSpec spec) {
        String positionals =
                spec.positionalParameters().stream().map(ArgSpec::paramLabel).collect(Collectors.joining(" "));
        return positionals.isEmpty() ? "options only" : "only " + positionals + " and options";
    }

    private static List<String> optionNames(CommandSpec spec) {
        return spec.options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .toList();
    }

    /** The name that was probably meant. */
    private static String hint(String given, Collection<String> known) {
        return Nearest.to(given, known)
                .or(() -> bySetting(given).filter(known::contains))
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }

    /** The flag of the setting whose key in the file was written as a flag: {@code --dram-capacity}. */
    private static Optional<String> bySetting(String given) {
        return Settings.all().stream()
                .filter(setting ->
                        given.equals("--" + setting.key().replace('.', '-')) || given.equals("--" + setting.key()))
                .map(Setting::flag)
                .findFirst();
    }

    private static String missing(MissingParameterException e) {
        return e.getMissing().stream().map(UsageErrors::missing).collect(Collectors.joining(", "));
    }

    private static String missingCommand(CommandSpec spec) {
        return "a command is missing; expected one of " + String.join(", ", commandNames(spec));
    }

    private static String missing(ArgSpec arg) {
        return arg instanceof OptionSpec option
                ? "option '" + option.longestName() + "' has no value; expected " + option.paramLabel()
                : arg.paramLabel() + " is missing";
    }

    /** A value that was not understood: the parser of the value says why. */
    private static String value(ParameterException e) {
        String text = spoken(String.valueOf(e.getMessage()));
        if (e.getArgSpec() instanceof OptionSpec option) {
            String why = text.replaceFirst("^invalid value for option '[^']*'( \\(.*?\\))?: ", "")
                    .replaceFirst("is not an? (int|long)$", "is no number; expected a whole number");
            return why.equals(text) ? text : "option '" + option.longestName() + "': " + why;
        }
        return text;
    }

    private static String spoken(String message) {
        String text = message.replaceFirst("^Error: ", "").strip();
        boolean sentence = text.length() > 1 && Character.isLowerCase(text.charAt(1)); // and no word in capitals
        return sentence ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1) : text;
    }

    /** Where help is found. */
    static String help(CommandLine line) {
        return "Try '" + line.getCommandSpec().qualifiedName() + " --help'.";
    }
}
