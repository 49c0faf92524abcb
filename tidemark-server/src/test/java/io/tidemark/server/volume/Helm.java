package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The chart of the volume evictor, rendered by helm. */
final class Helm {
    static final Path CHART = Path.of(
                    Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."))
            .resolve("deploy/helm/tidemark-volume");

    private static final List<String> REQUIRED =
            List.of("--set", "pvc.name=cache", "--set", "securityContext.container.runAsUser=1000");

    record Answer(int code, String text) {}

    private Helm() {}

    /** Skips where helm is not on the PATH. */
    static void isNeeded() throws InterruptedException {
        boolean there;
        try {
            there = run(List.of("helm", "version")).code == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "needs helm on the PATH");
    }

    private static Answer run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), text);
    }

    static Answer run(String command, List<String> more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("helm", command));
        if (command.equals("template")) {
            words.add("release");
        }
        words.add(CHART.toString());
        words.addAll(more);
        return run(words);
    }

    /** What the chart cannot know, and more. */
    static List<String> with(String... more) {
        List<String> all = new ArrayList<>(REQUIRED);
        all.addAll(List.of(more));
        return all;
    }

    static JsonNode deployment(String... more) throws IOException, InterruptedException {
        return rendered("deployment", with(more));
    }

    /** One of the chart's templates. */
    static JsonNode rendered(String template, List<String> more) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(more);
        all.addAll(List.of("--show-only", "templates/" + template + ".yaml"));
        Answer answer = run("template", all);
        assertThat(answer.code).as(answer.text).isZero();
        return YAMLMapper.builder().build().readTree(answer.text);
    }

    static Map<String, String> environment(JsonNode deployment) {
        Map<String, String> environment = new LinkedHashMap<>();
        container(deployment)
                .get("env")
                .forEach(one -> environment.put(
                        one.get("name").asString(), one.get("value").asString()));
        return environment;
    }

    static JsonNode container(JsonNode deployment) {
        return deployment.at("/spec/template/spec/containers/0");
    }
}
