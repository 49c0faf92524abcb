package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
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
        assertThat(answer.text).contains("- pvc.name: ", "- securityContext.container.runAsUser: ");
        assertThat(helm("lint", List.of()).code).as("lint as well").isNotZero();
    }

    @Test
    void everySettingIsInTheSchemaAndNothingElseIs() throws Exception {
        String root = Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse("..");
        JsonNode schema = JsonMapper.builder()
                .build()
                .readTree(Path.of(root, CHART, "values.schema.json").toFile());
        List<String> keys = schema.get("properties").get("config").get("properties").propertyNames().stream()
                .map(key -> key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT))
                .toList();
        List<String> ofThePod = List.of("PVC_MOUNT_PATH", "METRICS_ADDRESS", "METRICS_OPEN");
        assertThat(keys)
                .containsExactlyInAnyOrderElementsOf(VolumeSettings.all().stream()
                        .map(setting -> setting.variable())
                        .filter(variable -> !ofThePod.contains(variable))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config.cleanupTreshold=80",
                "config.cleanupThreshold=abc",
                "config.targetThreshold=7.x",
                "config.dryRun=yes",
                "config.layout=foo",
                "config.numCrawlerProcesses=3",
                "config.modelTtl=m=7",
                "config.cacheDirectory=/abs",
                "config.cacheDirectory=kv/../..",
                "nameOverride=a b",
                "fullnameOverride=AAA",
                "config.storageEventsEndpoint=foo",
                "metrics.port=abc",
                "metrics.prot=1",
                "javaHeap=64MB",
                "pvc.mountPath=/",
                "replicas=2"
            })
    void whatCouldNotBeMeantInThePodFailsTheInstallation(String wrong) throws Exception {
        Answer answer = helm("template", with("--set", wrong));
        assertThat(answer.code).as(wrong).isNotZero();
        String name = wrong.substring(wrong.lastIndexOf('.', wrong.indexOf('=')) + 1, wrong.indexOf('='));
        assertThat(answer.text).contains("values don't meet the specifications").contains(name);
    }

    @Test
    void rootIsRefusedBesideRunAsNonRoot() throws Exception {
        List<String> root = List.of("--set", "pvc.name=cache", "--set", "securityContext.container.runAsUser=0");
        assertThat(helm("template", root).text).contains("- securityContext.container.runAsUser: ");
        List<String> meant = new ArrayList<>(root);
        meant.addAll(List.of("--set", "securityContext.container.runAsNonRoot=false"));
        assertThat(helm("template", meant).code).isZero();
    }

    @Test
    void valuesThatDoNotFitTogetherAreNamedAtOnce() throws Exception {
        Answer answer = helm(
                "template",
                with(
                        "--set",
                        "pvc.readOnly=true,config.targetThreshold=90,config.criticalThreshold=80,config.fileQueueMinSize=20000"));
        assertThat(answer.code).isNotZero();
        assertThat(answer.text)
                .contains(
                        "config.targetThreshold=90 has to be below config.cleanupThreshold=85",
                        "config.criticalThreshold=80 has to be at least",
                        "config.fileQueueMinSize has to be at most config.fileQueueMaxsize",
                        "pvc.readOnly needs config.dryRun or config.shadow");
        assertThat(helm("template", with("--set", "config.dryRun=true,config.shadow=true")).text)
                .contains("config.dryRun and config.shadow exclude each other");
        assertThat(helm("template", with("--set", "pvc.readOnly=true,config.shadow=true")).code)
                .isZero();
        assertThat(helm("template", with("--set", "extraEnv[0].name=TARGET_THRESHOLD,extraEnv[0].value=3")).text)
                .as("the second of two would win")
                .contains("extraEnv has TARGET_THRESHOLD, which the chart sets");
        assertThat(helm(
                                "template",
                                with("--set", "extraEnv[0].name=TZ,extraEnv[0].value=UTC,config.cacheDirectory=kv/..x"))
                        .code)
                .isZero();
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
