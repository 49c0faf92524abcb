package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
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

/** The chart of the volume evictor, rendered by helm where it is on the PATH. */
@Timeout(60)
class HelmChartTest {
    @BeforeAll
    static void needsHelm() throws InterruptedException {
        Helm.isNeeded();
    }

    @Test
    void lintFindsNothing() throws Exception {
        Helm.Answer answer = Helm.run("lint", Helm.with("--strict"));
        assertThat(answer.code()).as(answer.text()).isZero();
    }

    @Test
    void whatItCannotKnowHasToBeGiven() throws Exception {
        Helm.Answer answer = Helm.run("template", List.of());
        assertThat(answer.code()).isNotZero();
        assertThat(answer.text()).contains("- pvc.name: ", "- securityContext.container.runAsUser: ");
        assertThat(Helm.run("lint", List.of()).code()).as("lint as well").isNotZero();
    }

    @Test
    void everySettingIsInTheSchemaAndNothingElseIs() throws Exception {
        JsonNode schema = JsonMapper.builder()
                .build()
                .readTree(Helm.CHART.resolve("values.schema.json").toFile());
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
                "config.cacheDirectory=/abs",
                "config.cacheDirectory=kv/../..",
                "nameOverride=a b",
                "fullnameOverride=AAA",
                "metrics.port=abc",
                "metrics.prot=1",
                "javaHeap=64MB",
                "pvc.name=My_Claim",
                "podLabels.tier=5",
                "nodeSelector.fast=true",
                "livenessProbe.httpGet.path=/",
                "securityContext.pod.seccompProfile.type=None",
                "resources.limit.cpu=1",
                "replicas=2"
            })
    void whatCouldNotBeMeantInThePodFailsTheInstallation(String wrong) throws Exception {
        Helm.Answer answer = Helm.run("template", Helm.with("--set", wrong));
        assertThat(answer.code()).as(wrong).isNotZero();
        String path = wrong.substring(0, wrong.indexOf('='));
        String name =
                path.startsWith("livenessProbe") ? "httpGet" : path.replaceFirst("^resources[.]limit[.].*", "limit");
        name = name.substring(name.lastIndexOf('.') + 1);
        assertThat(answer.text())
                .contains("values don't meet the specifications")
                .contains(name);
    }

    @Test
    void rootIsRefusedBesideRunAsNonRoot() throws Exception {
        List<String> root = List.of("--set", "pvc.name=cache", "--set", "securityContext.container.runAsUser=0");
        assertThat(Helm.run("template", root).text()).contains("- securityContext.container.runAsUser: ");
        List<String> meant = new ArrayList<>(root);
        meant.addAll(List.of("--set", "securityContext.container.runAsNonRoot=false"));
        assertThat(Helm.run("template", meant).code()).isZero();
    }

    @Test
    void valuesThatDoNotFitTogetherAreNamedAtOnce() throws Exception {
        Helm.Answer answer = Helm.run(
                "template",
                Helm.with(
                        "--set",
                        "pvc.readOnly=true,config.targetThreshold=90,config.criticalThreshold=80,config.fileQueueMinSize=20000"));
        assertThat(answer.code()).isNotZero();
        assertThat(answer.text())
                .contains(
                        "config.targetThreshold=90 has to be below config.cleanupThreshold=85",
                        "config.criticalThreshold=80 has to be at least",
                        "config.fileQueueMinSize has to be at most config.fileQueueMaxsize",
                        "pvc.readOnly needs config.dryRun or config.shadow");
        assertThat(Helm.run("template", Helm.with("--set", "config.dryRun=true,config.shadow=true"))
                        .text())
                .contains("config.dryRun and config.shadow exclude each other");
        assertThat(Helm.run("template", Helm.with("--set", "pvc.readOnly=true,config.shadow=true"))
                        .code())
                .isZero();
        assertThat(Helm.run(
                                "template",
                                Helm.with("--set-string", "extraEnv[0].name=TARGET_THRESHOLD,extraEnv[0].value=3"))
                        .text())
                .as("the second of two would win")
                .contains("extraEnv has TARGET_THRESHOLD, which the chart sets");
        assertThat(Helm.run(
                                "template",
                                Helm.with(
                                        "--set",
                                        "extraEnv[0].name=TZ,extraEnv[0].value=UTC,config.cacheDirectory=kv/..x"))
                        .code())
                .isZero();
    }

    @Test
    void oneLogFileIsForOneProcess() throws Exception {
        String extra = "extraVolumes[0].name=logs,extraVolumeMounts[0].name=logs,extraVolumeMounts[0].mountPath=/logs";
        for (String shared : List.of("config.logFilePath=/kv-cache/log", "config.logFilePath=/logs/log," + extra)) {
            assertThat(Helm.run("template", Helm.with("--set", "replicaCount=2," + shared))
                            .text())
                    .contains("with replicaCount=2 has to be in a folder that each pod has for itself, such as /tmp");
            assertThat(Helm.run("template", Helm.with("--set", "replicaCount=1," + shared))
                            .code())
                    .isZero();
        }
        String own = "replicaCount=2,config.logFilePath=";
        assertThat(Helm.run("template", Helm.with("--set", own + "/tmp/log")).code())
                .isZero();
        for (String kind : List.of("emptyDir", "ephemeral")) {
            assertThat(Helm.run(
                                    "template",
                                    Helm.with(
                                            "--set-json",
                                            "extraVolumes=[{\"name\":\"logs\",\"" + kind + "\":{}}]",
                                            "--set",
                                            own
                                                    + "/logs/log,extraVolumeMounts[0].name=logs,extraVolumeMounts[0].mountPath=/logs"))
                            .code())
                    .as(kind)
                    .isZero();
        }
    }

    @Test
    void everyVariableOfTheDefaultsIsASettingWithAValueItTakes() throws Exception {
        Map<String, String> environment = Helm.environment(Helm.deployment());
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
        JsonNode changed = Helm.deployment(
                "--set",
                "config.cleanupThreshold=82.5",
                "--set",
                "config.storageEventsEndpoint=tcp://*:5557",
                "--set",
                "config.dryRun=true");
        assertThat(Helm.environment(changed))
                .containsEntry("CLEANUP_THRESHOLD", "82.5")
                .containsEntry("STORAGE_EVENTS_ENDPOINT", "tcp://*:5557")
                .containsEntry("DRY_RUN", "true");
    }

    @Test
    void thePodHasNoRightsItDoesNotNeedAndProbesThatMeanSomething() throws Exception {
        JsonNode deployment = Helm.deployment();
        JsonNode pod = deployment.get("spec").get("template").get("spec");
        JsonNode rights = Helm.container(deployment).get("securityContext");
        assertThat(pod.get("automountServiceAccountToken").asBoolean()).isFalse();
        assertThat(rights.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(rights.get("runAsNonRoot").asBoolean()).isTrue();
        assertThat(rights.get("allowPrivilegeEscalation").asBoolean()).isFalse();
        assertThat(deployment.get("spec").get("strategy").get("type").asString())
                .isEqualTo("Recreate");
        assertThat(pod.get("tolerations").toString()).contains("disk-pressure");
        assertThat(Helm.container(deployment).get("livenessProbe").toString()).contains("/livez");
        assertThat(Helm.container(deployment).get("readinessProbe").toString()).contains("/readyz");
    }

    @Test
    void monitorAndAlertsAreRenderedWhenAskedFor() throws Exception {
        Helm.Answer answer = Helm.run(
                "template",
                Helm.with("--set", "metrics.podMonitor.enabled=true", "--set", "metrics.rules.enabled=true"));
        assertThat(answer.code()).as(answer.text()).isZero();
        assertThat(answer.text()).contains("kind: PodMonitor").contains("kind: PrometheusRule");
    }

    /** Two releases in one cluster: each watches its own. */
    @Test
    void theAlertThatNobodyRunsIsOfTheReleasesOwnPods() throws Exception {
        List<String> set =
                Helm.with("--set", "metrics.rules.enabled=true,fullnameOverride=cache-a", "--namespace", "kv");
        assertThat(Helm.run("template", set).text())
                .contains(
                        "expr: absent(tidemark_volume_answers{namespace=\"kv\",pod=~\"cache-a-[0-9a-z]+-[0-9a-z]+\"})",
                        "expr: up{namespace=\"kv\",pod=~\"cache-a-[0-9a-z]+-[0-9a-z]+\"} == 0")
                .doesNotContain("absent(tidemark_volume_answers)", "job=~");
        String longName = "a".repeat(60);
        assertThat(Helm.run("template", Helm.with("--set", "metrics.rules.enabled=true,fullnameOverride=" + longName))
                        .text())
                .as("names of pods are cut short")
                .contains("pod=~\"" + "a".repeat(46) + ".*\"");
    }
}
