package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The alerts of {@code deploy/alerts}: over metrics that there are, equal to the chart's, and as Prometheus takes them. */
@Timeout(120)
class AlertRulesTest {
    private static final Path ROOT =
            Path.of(Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."));
    private static final Path ALERTS = ROOT.resolve("deploy/alerts");
    private static final Pattern METRIC = Pattern.compile("\\btidemark_[a-z_]+");

    private static List<Path> yaml(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    private static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        for (Path file : yaml(ALERTS)) {
            YAMLMapper.builder()
                    .build()
                    .readTree(Files.readString(file))
                    .get("groups")
                    .forEach(group -> group.get("rules").forEach(rules::add));
        }
        return rules;
    }

    @Test
    void everyMetricOfAnAlertIsInTheCatalogue() throws IOException {
        String catalogue = Files.readString(ROOT.resolve("docs/metrics.md"));
        for (JsonNode rule : rules()) {
            String told = rule.get("expr").asString() + rule.get("annotations");
            METRIC.matcher(told)
                    .results()
                    .forEach(found -> assertThat(catalogue)
                            .as(rule.get("alert").asString())
                            .contains("| `" + found.group() + "` |"));
        }
    }

    @Test
    void whatToWatchIsWatched() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/metrics.md"));
        String watched = page.substring(page.indexOf("What to watch"), page.indexOf("Once a minute"));
        TreeSet<String> expressions = new TreeSet<>();
        for (JsonNode rule : rules()) {
            METRIC.matcher(rule.get("expr").asString()).results().forEach(found -> expressions.add(found.group()));
        }
        // evictions are what the server is for: they are looked at, and no alert
        METRIC.matcher(watched)
                .results()
                .map(found -> found.group())
                .filter(name -> !name.equals("tidemark_left_copies_total"))
                .forEach(name -> assertThat(expressions).contains(name));
    }

    @Test
    void anEvictorOrServerThatIsGoneIsToldByWhatIsNotItsOwn() throws IOException {
        List<String> expressions =
                rules().stream().map(rule -> rule.get("expr").asString()).toList();
        assertThat(expressions)
                .contains("absent(tidemark_volume_answers)", "absent(tidemark_ready)")
                .filteredOn(expression -> expression.startsWith("up{"))
                .hasSize(2);
    }

    @Test
    void theChartHasTheSameAlerts() throws IOException {
        assertThat(Files.readString(ROOT.resolve("deploy/helm/tidemark-volume/alerts.yaml")))
                .isEqualTo(Files.readString(ALERTS.resolve("tidemark-volume.yaml")));
    }

    @Test
    void prometheusTakesThemAndTheyFireAsTheirTestsSay() throws Exception {
        assumeTrue(run(List.of("promtool", "--version")).isPresent(), "needs promtool on the PATH");
        assertThat(run(command("check", ALERTS)))
                .hasValueSatisfying(text -> assertThat(text).endsWith("exit 0"));
        assertThat(run(command("test", ALERTS.resolve("tests"))))
                .hasValueSatisfying(text -> assertThat(text).endsWith("exit 0"));
    }

    private static List<String> command(String what, Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of("promtool", what, "rules"));
        yaml(folder).forEach(file -> command.add(file.toString()));
        return command;
    }

    /** What a program says, and its exit code at the end; empty where it is not installed. */
    private static Optional<String> run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Optional.of(text + "exit " + process.waitFor());
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
