package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Each value of the chart reaches its place, and one that could not work there is refused in words. */
@Timeout(120)
class HelmValuesTest {
    private static final ObjectMapper YAML = YAMLMapper.builder().build();
    private static final String POD = "deployment /spec/template/spec";
    private static final String EVICTOR = POD + "/containers/0";

    /** Value, something that is not its default, the template and place where it is found, and what is found there. */
    private record Place(String value, String set, String place, String found) {
        Place(String value, String set, String place) {
            this(value, set, place, set);
        }
    }

    private static final List<Place> PLACES = List.of(
            new Place("replicaCount", "2", "deployment /spec/replicas"),
            new Place("image.repository", "hub/t", EVICTOR + "/image", "hub/t:v7"),
            new Place("image.tag", "v7", EVICTOR + "/image", "hub/t:v7"),
            new Place("image.pullPolicy", "Always", EVICTOR + "/imagePullPolicy"),
            new Place("imagePullSecrets", "[{name: key}]", POD + "/imagePullSecrets"),
            new Place("serviceAccountName", "sweeper", POD + "/serviceAccountName"),
            new Place("nameOverride", "other", "deployment /spec/selector/matchLabels/app.kubernetes.io~1name"),
            new Place("fullnameOverride", "whole", "deployment /metadata/name"),
            new Place("pvc.name", "claim-7", POD + "/volumes/0/persistentVolumeClaim/claimName"),
            new Place("pvc.mountPath", "/models", EVICTOR + "/volumeMounts/0/mountPath"),
            new Place("pvc.readOnly", "true", EVICTOR + "/volumeMounts/0/readOnly"),
            new Place("securityContext.pod.fsGroup", "0", POD + "/securityContext/fsGroup"),
            new Place(
                    "securityContext.pod.seLinuxOptions",
                    "{level: 's0:c1,c2'}",
                    POD + "/securityContext/seLinuxOptions"),
            new Place(
                    "securityContext.pod.seccompProfile.type",
                    "Unconfined",
                    POD + "/securityContext/seccompProfile/type"),
            new Place(
                    "securityContext.container.allowPrivilegeEscalation",
                    "true",
                    EVICTOR + "/securityContext/allowPrivilegeEscalation"),
            new Place(
                    "securityContext.container.readOnlyRootFilesystem",
                    "false",
                    EVICTOR + "/securityContext/readOnlyRootFilesystem"),
            new Place("securityContext.container.runAsNonRoot", "false", EVICTOR + "/securityContext/runAsNonRoot"),
            new Place("securityContext.container.runAsUser", "0", EVICTOR + "/securityContext/runAsUser"),
            new Place(
                    "securityContext.container.capabilities.drop",
                    "[NET_RAW]",
                    EVICTOR + "/securityContext/capabilities/drop"),
            new Place("extraEnv", "[{name: TZ, value: UTC}]", EVICTOR + "/env/-1", "{name: TZ, value: UTC}"),
            new Place(
                    "extraVolumes", "[{name: logs, emptyDir: {}}]", POD + "/volumes/-1", "{name: logs, emptyDir: {}}"),
            new Place(
                    "extraVolumeMounts",
                    "[{name: logs, mountPath: /logs}]",
                    EVICTOR + "/volumeMounts/-1",
                    "{name: logs, mountPath: /logs}"),
            new Place("metrics.port", "9000", EVICTOR + "/ports/0/containerPort"),
            new Place("metrics.podMonitor.enabled", "true", "podmonitor /kind", "PodMonitor"),
            new Place("metrics.podMonitor.interval", "7s", "podmonitor /spec/podMetricsEndpoints/0/interval"),
            new Place("metrics.podMonitor.labels", "{team: a}", "podmonitor /metadata/labels/team", "a"),
            new Place("metrics.rules.enabled", "true", "rules /kind", "PrometheusRule"),
            new Place("metrics.rules.labels", "{team: b}", "rules /metadata/labels/team", "b"),
            new Place("javaHeap", "96m", EVICTOR + "/env/0", "{name: TIDEMARK_HEAP, value: 96m}"),
            new Place("resources.requests.cpu", "'2'", EVICTOR + "/resources/requests/cpu"),
            new Place("resources.requests.memory", "600Mi", EVICTOR + "/resources/requests/memory"),
            new Place("resources.limits.cpu", "2500m", EVICTOR + "/resources/limits/cpu"),
            new Place("resources.limits.memory", "700Mi", EVICTOR + "/resources/limits/memory"),
            new Place(
                    "podAnnotations",
                    "{a.io/b: 'true'}",
                    "deployment /spec/template/metadata/annotations/a.io~1b",
                    "'true'"),
            new Place("podLabels", "{queue: q}", "deployment /spec/template/metadata/labels/queue", "q"),
            new Place("nodeSelector", "{disk: fast}", POD + "/nodeSelector"),
            new Place("securityContext.pod.supplementalGroups", "[5000]", POD + "/securityContext/supplementalGroups"),
            new Place(
                    "topologySpreadConstraints",
                    "[{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]",
                    POD + "/topologySpreadConstraints"),
            new Place("affinity", "{nodeAffinity: {}}", POD + "/affinity"),
            new Place("priorityClassName", "high", POD + "/priorityClassName"),
            new Place("tolerations", "[{operator: Exists}]", POD + "/tolerations"),
            new Place("terminationGracePeriodSeconds", "7", POD + "/terminationGracePeriodSeconds"),
            new Place("livenessProbe.initialDelaySeconds", "11", EVICTOR + "/livenessProbe/initialDelaySeconds"),
            new Place("livenessProbe.periodSeconds", "12", EVICTOR + "/livenessProbe/periodSeconds"),
            new Place("livenessProbe.timeoutSeconds", "13", EVICTOR + "/livenessProbe/timeoutSeconds"),
            new Place("readinessProbe.initialDelaySeconds", "14", EVICTOR + "/readinessProbe/initialDelaySeconds"),
            new Place("readinessProbe.periodSeconds", "15", EVICTOR + "/readinessProbe/periodSeconds"),
            new Place("readinessProbe.timeoutSeconds", "16", EVICTOR + "/readinessProbe/timeoutSeconds"));

    /** Values of `config`, each with something that is not its default. */
    private static final Map<String, String> CONFIG = Map.ofEntries(
            Map.entry("cacheDirectory", "kv"),
            Map.entry("cleanupThreshold", "82.5"),
            Map.entry("targetThreshold", "60"),
            Map.entry("criticalThreshold", "97"),
            Map.entry("numCrawlerProcesses", "4"),
            Map.entry("loggerIntervalSeconds", "0.25"),
            Map.entry("fileQueueMaxsize", "20000"),
            Map.entry("fileQueueMinSize", "2000"),
            Map.entry("deletionBatchSize", "50"),
            Map.entry("fileAccessTimeThresholdMinutes", "30"),
            Map.entry("hexBucketLen", "2"),
            Map.entry("enableDirCleanup", "false"),
            Map.entry("dirCleanupTtlSeconds", "240"),
            Map.entry("storageEventsEndpoint", "tcp://*:5557"),
            Map.entry("storageEventsMedium", "FS"),
            Map.entry("dryRun", "true"),
            Map.entry("shadow", "true"),
            Map.entry("checkInodes", "false"),
            Map.entry("adopt", "true"),
            Map.entry("layout", "shfs"),
            Map.entry("layoutStrict", "false"),
            Map.entry("recency", "mtime"),
            Map.entry("readyBuffer", "2000000"),
            Map.entry("numDeleters", "3"),
            Map.entry("deletionRateLimit", "100000"),
            Map.entry("tmpTtlSeconds", "7200"),
            Map.entry("passIntervalSeconds", "60"),
            Map.entry("sweeperLeases", "false"),
            Map.entry("modelTtl", "org/m=12h, n=7d"),
            Map.entry("modelQuota", "org/m=1.5Ti, n=500GiB"),
            Map.entry("logLevel", "DEBUG"),
            Map.entry("statusLines", "changes"),
            Map.entry("logFilePath", "/logs/evictor.log"));

    /** Values that would exclude others of the list; they have a rendering of their own. */
    private static final List<String> APART = List.of("shadow", "sweeperLeases");

    @TempDir
    private Path folder;

    @BeforeAll
    static void needsHelm() throws InterruptedException {
        Helm.isNeeded();
    }

    @Test
    void everyValueReachesItsPlace() throws Exception {
        ObjectNode values = (ObjectNode) YAML.readTree("{}");
        PLACES.forEach(place -> set(values, place.value, place.set));
        CONFIG.forEach((name, value) -> {
            if (!APART.contains(name)) {
                set(values, "config." + name, value);
            }
        });
        assertThat(leaves("", YAML.readTree(Helm.CHART.resolve("values.yaml").toFile())))
                .as("all values of the chart are set here, to something that is not their default")
                .allSatisfy((path, byDefault) ->
                        assertThat(setHere(path)).as(path).isPresent().get().isNotEqualTo(byDefault));
        Path file = Files.writeString(folder.resolve("values.yaml"), YAML.writeValueAsString(values));
        List<String> given = List.of("--values", file.toString());
        ObjectNode rendered = (ObjectNode) YAML.readTree("{}");
        for (String template : List.of("deployment", "podmonitor", "rules")) {
            rendered.set(template, Helm.rendered(template, given));
        }
        assertThat(PLACES)
                .allSatisfy(place -> assertThat(found(rendered, place.place))
                        .as("%s at %s", place.value, place.place)
                        .isEqualTo(YAML.readTree(place.found)));
        Map<String, String> apart =
                Helm.environment(Helm.deployment("--set", "config.shadow=true,config.sweeperLeases=false"));
        Map<String, String> together = Helm.environment(rendered.get("deployment"));
        assertThat(CONFIG).allSatisfy((name, value) -> {
            String variable = name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
            assertThat(APART.contains(name) ? apart : together).containsEntry(variable, value);
            VolumeSettings.all().stream()
                    .filter(setting -> setting.variable().equals(variable))
                    .findFirst()
                    .orElseThrow()
                    .parse(value, variable);
        });
        assertThat(together)
                .containsEntry("PVC_MOUNT_PATH", "/models")
                .containsEntry("METRICS_ADDRESS", "0.0.0.0:9000");
        assertThat(together.keySet())
                .as("each variable once")
                .hasSize(Helm.container(rendered.get("deployment")).get("env").size());
        assertThat(found(rendered, POD + "/volumes/0/persistentVolumeClaim/readOnly")
                        .asBoolean())
                .isTrue();
        assertThat(found(rendered, "podmonitor /spec/selector/matchLabels"))
                .as("what the monitor selects")
                .isEqualTo(found(rendered, "deployment /spec/selector/matchLabels"));
        assertThat(found(rendered, "deployment /spec/template/metadata/labels").properties())
                .containsAll(
                        found(rendered, "podmonitor /spec/selector/matchLabels").properties());
        assertThat(found(rendered, "podmonitor /spec/podMetricsEndpoints/0/port"))
                .isEqualTo(found(rendered, EVICTOR + "/ports/0/name"));
    }

    /** What stands at a template's JSON pointer; {@code /env/-1} is the last of a list. */
    private static JsonNode found(JsonNode rendered, String place) {
        String pointer = "/" + place.replace(" ", "");
        if (pointer.endsWith("/-1")) {
            JsonNode list = rendered.at(pointer.substring(0, pointer.length() - 3));
            return list.get(list.size() - 1);
        }
        return rendered.at(pointer);
    }

    private static void set(ObjectNode values, String path, String text) {
        ObjectNode at = values;
        int dot;
        String rest = path;
        while ((dot = rest.indexOf('.')) >= 0) {
            at = at.withObjectProperty(rest.substring(0, dot));
            rest = rest.substring(dot + 1);
        }
        at.set(rest, YAML.readTree(text));
    }

    /** What is set here of a value of the chart. */
    private static Optional<JsonNode> setHere(String path) {
        String name = path.replaceFirst("^config[.]", "");
        Optional<String> text = name.equals(path)
                ? PLACES.stream()
                        .filter(place -> place.value.equals(path))
                        .map(Place::set)
                        .findFirst()
                : Optional.ofNullable(CONFIG.get(name));
        return text.map(YAML::readTree);
    }

    /** Values by their paths; a list, and an object without anything in it, is one. */
    private static Map<String, JsonNode> leaves(String prefix, JsonNode node) {
        Map<String, JsonNode> leaves = new TreeMap<>();
        node.properties().forEach(each -> {
            String path = prefix + each.getKey();
            if (each.getValue().isObject() && !each.getValue().isEmpty()) {
                leaves.putAll(leaves(path + ".", each.getValue()));
            } else {
                leaves.put(path, each.getValue());
            }
        });
        return leaves;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resources.limits.memory=10Mi | resources.limits.memory=10Mi has to be at least 241Mi",
                "resources.limits.memory=500Mi | resources.requests.memory=512Mi has to be at most resources.limits.memory=500Mi",
                "resources.limits.cpu=500m | resources.requests.cpu=1 has to be at most resources.limits.cpu=500m",
                "resources.limits.memory=1GB | resources.limits.memory=1GB has to be a quantity of Kubernetes",
                "javaHeap=4g | resources.limits.memory=1Gi has to be at least 4225Mi: javaHeap=4g",
                "javaHeap=8m | javaHeap=8m has to be at least 16m",
                "config.readyBuffer=20000000 | 68 bytes for each of config.readyBuffer=20000000",
                "config.modelQuota=m=5Q | config.modelQuota has \"m=5Q\": it has to be MODEL=SIZE",
                "config.modelQuota==5Gi | config.modelQuota has \"=5Gi\": it has to be MODEL=SIZE",
                "config.modelTtl=m=7 | config.modelTtl has \"m=7\": it has to be MODEL=TIME",
                "config.storageEventsEndpoint=foo | config.storageEventsEndpoint=foo has to be tcp://HOST:PORT",
                "config.storageEventsEndpoint=tcp://*:99999 | has to be tcp://HOST:PORT with a port up to 65535",
                "config.storageEventsEndpoint=tcp://*:9466 | has to have another port than metrics.port",
                "config.storageEventsEndpoint=ipc:///run/events | config.storageEventsEndpoint=ipc:///run/events has to be in a folder",
                "config.logFilePath=/tmp/x/y.log | config.logFilePath=/tmp/x/y.log has to be a file in a folder",
                "config.logFilePath=/var/log/y.log | config.logFilePath=/var/log/y.log has to be a file in a folder",
                "config.logFilePath=y.log | config.logFilePath=y.log has to be a file in a folder",
                "config.cleanupThreshold=182.5 | config.cleanupThreshold=182.5 has to be from 0 to 100",
                "config.targetThreshold=0.0 | config.targetThreshold=0.0 has to be above 0",
                "config.tmpTtlSeconds=1.5 | config.tmpTtlSeconds=1.5 has to be from 60 to 31536000",
                "pvc.mountPath=/kv/../.. | pvc.mountPath=/kv/../.. has to be an absolute path",
                "pvc.mountPath=/ | pvc.mountPath=/ has to be an absolute path",
                "pvc.mountPath=/tmp/ | pvc.mountPath=/tmp/ has to be an absolute path",
                "pvc.mountPath=kv | pvc.mountPath=kv has to be an absolute path",
                "pvc.mountPath=/a:b | pvc.mountPath=/a:b has to be an absolute path",
                "replicaCount=2,config.sweeperLeases=false | replicaCount=2 needs config.sweeperLeases",
                "podLabels.app\\.kubernetes\\.io/name=x | podLabels has app.kubernetes.io/name, which the chart sets",
                "extraVolumes[0].name=cache | extraVolumes has cache, which is there already",
                "extraVolumeMounts[0].name=x,extraVolumeMounts[0].mountPath=/x | extraVolumeMounts has x: it has to be one of cache, tmp",
                "extraVolumeMounts[0].name=tmp,extraVolumeMounts[0].mountPath=/tmp | mountPath=/tmp, where something is mounted already"
            })
    void whatCouldNotWorkIsRefusedByValueAndExpectation(String wrong, String words) throws Exception {
        Helm.Answer answer = Helm.run("template", Helm.with("--set", wrong));
        assertThat(answer.code()).as(answer.text()).isNotZero();
        assertThat(answer.text()).contains(words);
    }

    @Test
    void whatWorksIsTaken() throws Exception {
        for (List<String> sets : List.of(
                List.of("resources.limits.memory=0.25Gi", "resources.requests.memory=241Mi"),
                List.of("resources.limits.memory=null", "javaHeap=2g"),
                List.of("resources.limits.memory=600000000", "resources.requests.cpu=4"),
                List.of("config.modelQuota=a/m=500Gi\\,b=1.5GiB\\,c=12", "config.modelTtl=a/m=12h"),
                List.of("config.storageEventsEndpoint=ipc:///tmp/events", "config.logFilePath=/tmp/y.log"),
                List.of("config.storageEventsEndpoint=tcp://[::]:5557", "config.logFilePath=/kv-cache/logs/y.log"),
                List.of("securityContext.container.readOnlyRootFilesystem=false", "config.logFilePath=/var/log/y.log"),
                List.of("pvc.mountPath=/mnt/..kv/", "replicaCount=2"))) {
            String text = sets.stream().collect(Collectors.joining(","));
            Helm.Answer answer = Helm.run("template", Helm.with("--set", text));
            assertThat(answer.code()).as(text + ": " + answer.text()).isZero();
        }
    }
}
