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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The chart of the volume evictor, rendered by helm where it is on the PATH. */
@Timeout(60)
class HelmChartTest {
    private static final String CHART = "deploy/helm/tidemark-volume";
    private static final List<String> REQUIRED =
            List.of("--set", "pvc.name=cache", "--set", "securityContext.container.runAsUser=1000");

    private record Answer(int code, String text) {}

    @BeforeAll
    static void needsHelm() throws InterruptedException {
        boolean there;
        try {
            there = run(List.of("helm", "version")).code == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "needs helm on the PATH");
    }

    private static Answer run(List<String> command) throws IOException, InterruptedException {
        String root = Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse("..");
        Process process = new ProcessBuilder(command)
                .directory(Path.of(root).toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), text);
    }

    private static Answer helm(String command, List<String> more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("helm", command));
        if (command.equals("template")) {
            words.add("release");
        }
        words.add(CHART);
        words.addAll(more);
        return run(words);
    }

    private static List<String> with(String... more) {
        List<String> all = new ArrayList<>(REQUIRED);
        all.addAll(List.of(more));
        return all;
    }

    private static JsonNode deployment(String... more) throws IOException, InterruptedException {
        List<String> all = with(more);
        all.addAll(List.of("--show-only", "templates/deployment.yaml"));
        Answer answer = helm("template", all);
        assertThat(answer.code).as(answer.text).isZero();
        return YAMLMapper.builder().build().readTree(answer.text);
    }

    private static Map<String, String> environment(JsonNode deployment) {
        Map<String, String> environment = new LinkedHashMap<>();
        container(deployment)
                .get("env")
                .forEach(one -> environment.put(
                        one.get("name").asString(), one.get("value").asString()));
        return environment;
    }

    private static JsonNode container(JsonNode deployment) {
        return deployment
                .get("spec")
                .get("template")
                .get("spec")
                .get("containers")
                .get(0);
    }

    @Test
    void lintFindsNothing() throws Exception {
        Answer answer = helm("lint", with("--strict"));
        assertThat(answer.code).as(answer.text).isZero();
    }

    @Test
    void whatItCannotKnowHasToBeGiven() throws Exception {
        Answer answer = helm("template", List.of());
        assertThat(answer.code).isNotZero();
        assertThat(answer.text).contains("pvc.name is required");
    }

    @Test
    void everyVariableOfTheDefaultsIsASettingWithAValueItTakes() throws Exception {
        Map<String, String> environment = environment(deployment());
        List<String> known =
                VolumeSettings.all().stream().map(setting -> setting.variable()).toList();
        assertThat(environment.keySet().stream().filter(name -> !name.equals("TIDEMARK_HEAP")))
                .isSubsetOf(known);
        VolumeOptions options = VolumeOptionSources.resolve(Optional.empty(), environment, Map.of());
        assertThat(options.config().thresholds().cleanup()).isEqualTo(85);
        assertThat(options.config().mount()).hasToString("/kv-cache");
    }

    @Test
    void aValueReachesItsVariable() throws Exception {
        JsonNode changed = deployment(
                "--set",
                "config.cleanupThreshold=82.5",
                "--set",
                "config.storageEventsEndpoint=tcp://*:5557",
                "--set",
                "config.dryRun=true");
        assertThat(environment(changed))
                .containsEntry("CLEANUP_THRESHOLD", "82.5")
                .containsEntry("STORAGE_EVENTS_ENDPOINT", "tcp://*:5557")
                .containsEntry("DRY_RUN", "true");
    }

    @Test
    void thePodHasNoRightsItDoesNotNeedAndProbesThatMeanSomething() throws Exception {
        JsonNode deployment = deployment();
        JsonNode pod = deployment.get("spec").get("template").get("spec");
        JsonNode rights = container(deployment).get("securityContext");
        assertThat(pod.get("automountServiceAccountToken").asBoolean()).isFalse();
        assertThat(rights.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(rights.get("runAsNonRoot").asBoolean()).isTrue();
        assertThat(rights.get("allowPrivilegeEscalation").asBoolean()).isFalse();
        assertThat(deployment.get("spec").get("strategy").get("type").asString())
                .isEqualTo("Recreate");
        assertThat(pod.get("tolerations").toString()).contains("disk-pressure");
        assertThat(container(deployment).get("livenessProbe").toString()).contains("/livez");
        assertThat(container(deployment).get("readinessProbe").toString()).contains("/readyz");
    }

    @Test
    void monitorAndAlertsAreRenderedWhenAskedFor() throws Exception {
        Answer answer = helm(
                "template", with("--set", "metrics.podMonitor.enabled=true", "--set", "metrics.rules.enabled=true"));
        assertThat(answer.code).as(answer.text).isZero();
        assertThat(answer.text).contains("kind: PodMonitor").contains("kind: PrometheusRule");
    }
}
