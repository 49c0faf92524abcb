package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.volume.FsLayout;
import io.tidemark.core.volume.LooseFsLayout;
import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.VolumeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeOptionsTest {
    @TempDir
    private Path folder;

    private static VolumeOptions options(Map<String, String> environment) {
        return VolumeOptionSources.resolve(Optional.empty(), environment, Map.of());
    }

    @Test
    void defaultsAreThoseOfTheEvictorOfOld() {
        VolumeConfig config = options(Map.of()).config();
        assertThat(config.mount()).isEqualTo(Path.of("/kv-cache"));
        assertThat(config.cacheDirectory()).isEqualTo("kv/model-cache/models");
        assertThat(config.thresholds().cleanup()).isEqualTo(85.0);
        assertThat(config.thresholds().target()).isEqualTo(70.0);
        assertThat(config.thresholds().critical()).isEqualTo(95.0);
        assertThat(config.thresholds().floorSeconds()).isEqualTo(3_600);
        assertThat(config.crawlers()).isEqualTo(8);
        assertThat(config.intervalMillis()).isEqualTo(500);
        assertThat(config.queueMax()).isEqualTo(10_000);
        assertThat(config.queueMin()).isEqualTo(1_000);
        assertThat(config.batch()).isEqualTo(100);
        assertThat(config.folderCleaning()).isTrue();
        assertThat(config.folderTtlSeconds()).isEqualTo(120);
        assertThat(config.mode()).isEqualTo(SweepMode.RUN);
        assertThat(config.layout()).isInstanceOf(FsLayout.class);
    }

    @Test
    void numbersAreReadAsTheEvictorOfOldReadsThem() {
        VolumeConfig config = options(Map.of(
                        "NUM_CRAWLER_PROCESSES", "4.0",
                        "FILE_QUEUE_MAXSIZE", "2e4",
                        "CLEANUP_THRESHOLD", " 90 ",
                        "DRY_RUN", "True",
                        "LAYOUT_STRICT", "FALSE"))
                .config();
        assertThat(config.crawlers()).isEqualTo(4);
        assertThat(config.queueMax()).isEqualTo(20_000);
        assertThat(config.thresholds().cleanup()).isEqualTo(90);
        assertThat(config.mode()).isEqualTo(SweepMode.DRY_RUN);
        assertThat(config.layout()).isInstanceOf(LooseFsLayout.class);
    }

    @ParameterizedTest
    @CsvSource({
        "CLEANUP_THRESHOLD,eighty",
        "CLEANUP_THRESHOLD,0",
        "CLEANUP_THRESHOLD,101",
        "CLEANUP_THRESHOLD,nan",
        "TARGET_THRESHOLD,85",
        "TARGET_THRESHOLD,90",
        "TARGET_THRESHOLD,-1",
        "TARGET_THRESHOLD,''",
        "CRITICAL_THRESHOLD,80",
        "NUM_CRAWLER_PROCESSES,3",
        "NUM_CRAWLER_PROCESSES,32",
        "LOGGER_INTERVAL_SECONDS,0",
        "FILE_QUEUE_MAXSIZE,0",
        "FILE_QUEUE_MIN_SIZE,20000",
        "DELETION_BATCH_SIZE,0",
        "DELETION_BATCH_SIZE,x",
        "FILE_ACCESS_TIME_THRESHOLD_MINUTES,-5",
        "HEX_BUCKET_LEN,0",
        "ENABLE_DIR_CLEANUP,maybe",
        "DIR_CLEANUP_TTL_SECONDS,-1",
        "DRY_RUN,yes",
        "DRY_RUN,1",
        "LOG_LEVEL,LOUD",
        "CACHE_DIRECTORY,/abs",
        "CACHE_DIRECTORY,../up",
        "LAYOUT,zfs",
        "RECENCY,ctime",
        "MODEL_TTL,m",
        "MODEL_TTL,m=7",
        "MODEL_QUOTA,m=lots",
        "STORAGE_EVENTS_MEDIUM,TAPE",
        "READY_BUFFER,0",
        "TMP_TTL_SECONDS,1",
        "NUM_DELETERS,0",
        "NUM_DELETERS,65",
        "NUM_DELETERS,many",
        "DELETION_RATE_LIMIT,-1",
        "DELETION_RATE_LIMIT,fast",
        "PASS_INTERVAL_SECONDS,0",
        "PASS_INTERVAL_SECONDS,100000",
        "CHECK_INODES,yes",
        "ADOPT,1",
        "SHADOW,on",
        "SWEEPER_LEASES,no",
        "LAYOUT_STRICT,loose",
        "METRICS_OPEN,maybe",
        "PVC_MOUNT_PATH,''",
        "STORAGE_EVENTS_ENDPOINT,foo",
        "STORAGE_EVENTS_ENDPOINT,tcp://*",
        "STORAGE_EVENTS_ENDPOINT,tcp://*:70000",
        "METRICS_ADDRESS,foo",
        "METRICS_ADDRESS,:9466",
        "METRICS_ADDRESS,127.0.0.1:99999",
        "METRICS_ADDRESS,http://127.0.0.1:9466"
    })
    void aValueThatCannotBeMeantIsRefusedByNameAndValue(String variable, String value) {
        assertThatThrownBy(() -> options(Map.of(variable, value)).config())
                .isInstanceOf(VolumeSettingException.class)
                .hasMessageContaining(variable)
                .hasMessageContaining(value);
    }

    @Test
    void theWordsForAWrongNumberOfCrawlersAreKept() {
        for (String number : List.of("0", "3", "32", "-1")) {
            assertThatThrownBy(() -> options(Map.of("NUM_CRAWLER_PROCESSES", number)))
                    .hasMessage("NUM_CRAWLER_PROCESSES must be a power of 2 from 1 to 16, got " + number);
        }
    }

    @Test
    void flagsWinOverEnvironmentAndEnvironmentOverTheFile() throws IOException {
        Path file = Files.writeString(
                folder.resolve("v.yaml"),
                "volume:\n  cleanup-threshold: 80\n  target-threshold: 60\n  deletion-batch-size: 7\n");
        VolumeConfig config = VolumeOptionSources.resolve(
                        Optional.of(file),
                        Map.of("TARGET_THRESHOLD", "61", "DELETION_BATCH_SIZE", "8"),
                        Map.of("DELETION_BATCH_SIZE", "9"))
                .config();
        assertThat(config.thresholds().cleanup()).isEqualTo(80);
        assertThat(config.thresholds().target()).isEqualTo(61);
        assertThat(config.batch()).isEqualTo(9);
    }

    @Test
    void unknownKeysInTheFileAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("v.yaml"), "cleanup: 80\n");
        assertThatThrownBy(() -> VolumeOptionSources.resolve(Optional.of(file), Map.of(), Map.of()))
                .hasMessageContaining("unknown key 'cleanup'");
    }

    @Test
    void allThatIsWrongInTheFileIsNamedWithItsLine() throws IOException {
        Path file = Files.writeString(
                folder.resolve("v.yaml"), "cleanup-treshold: 80\ntarget-threshold: 60\nfoo: 1\nlayout: [fs]\n");
        assertThatThrownBy(() -> VolumeOptionSources.resolve(Optional.of(file), Map.of(), Map.of()))
                .hasMessage(file + ":1: unknown key 'cleanup-treshold'; did you mean 'cleanup-threshold'?\n" + file
                        + ":3: unknown key 'foo'\n" + file + ":4: 'layout' expects one value");
    }

    /** The second one would win without a word; on one line the columns tell the two apart. */
    @Test
    void whatTheFileGivesTwiceIsToldAndNotTakenOnce() throws IOException {
        Path file = Files.writeString(
                folder.resolve("v.yaml"), "volume: {dry-run: true, dry-run: false}\nvolume: {rate: 1}\n");
        assertThatThrownBy(() -> VolumeOptionSources.resolve(Optional.of(file), Map.of(), Map.of()))
                .hasMessage(file + ":2: 'volume' is given twice; first at " + file + ":1\n" + file
                        + ":1: 'dry-run' is given twice on this line, in columns 10 and 25");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tcp://*:5557", "tcp://127.0.0.1:*", "tcp://[::1]:5557", "ipc:///tmp/events"})
    void endpointsThatCanBeMeantAreTaken(String endpoint) {
        assertThat(options(Map.of("STORAGE_EVENTS_ENDPOINT", endpoint)).get(VolumeSettings.EVENTS))
                .isEqualTo(endpoint);
    }

    @Test
    void placesThatCannotBeMeantAreRefusedBeforeAnythingStarts() throws IOException {
        String file = Files.createFile(folder.resolve("file")).toString();
        Map<String, String> wrong = Map.of(
                "LOG_FILE_PATH",
                folder + "/missing/x.log",
                "PVC_MOUNT_PATH",
                file,
                "METRICS_ADDRESS",
                "no-such-host.invalid:9466");
        wrong.forEach((variable, value) -> assertThatThrownBy(() -> options(Map.of(variable, value)))
                .isInstanceOf(VolumeSettingException.class)
                .hasMessageStartingWith(variable + "='" + value + "': expected "));
        assertThatThrownBy(() -> options(Map.of("LOG_FILE_PATH", folder.toString())))
                .hasMessageContaining("this is a folder");
    }

    @Test
    void allThatCannotBeMeantIsNamedAtOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("v.yaml"), "foo: 1\ndry-run: maybe\n");
        Map<String, String> environment = Map.of(
                "CLEANUP_THRESHOLD", "abc",
                "TARGET_THRESHOLD", "0",
                "NUM_CRAWLER_PROCESSES", "3",
                "LOG_FILE_PATH", "/nope/x",
                "FILE_QUEUE_MIN_SIZE", "20000",
                "CACHE_DIRECTORY", "../up",
                "METRICS_ADDRESS", "foo");
        assertThatThrownBy(() -> VolumeOptionSources.resolve(
                        Optional.of(file), environment, Map.of("RECENCY", "x", "MODEL_TTL", "m=7")))
                .isInstanceOfSatisfying(
                        VolumeSettingException.class,
                        e -> assertThat(e.problem().lines())
                                .containsExactlyInAnyOrder(
                                        file + ":1: unknown key 'foo'",
                                        file + ":2: dry-run='maybe': expected true or false",
                                        "CLEANUP_THRESHOLD='abc': expected a number from 0 to 100",
                                        "TARGET_THRESHOLD='0.0': expected a percentage above 0 and below CLEANUP_THRESHOLD",
                                        "NUM_CRAWLER_PROCESSES must be a power of 2 from 1 to 16, got 3",
                                        "METRICS_ADDRESS='foo': expected HOST:PORT with a port up to 65535, or nothing",
                                        "--recency='x': expected one of max, atime, mtime",
                                        "--model-ttl='m=7': expected MODEL=TIME, ... with times such as 12h or 7d",
                                        "FILE_QUEUE_MIN_SIZE='20000': expected at most FILE_QUEUE_MAXSIZE, which is"
                                                + " 10000",
                                        "CACHE_DIRECTORY='../up': expected a path relative to PVC_MOUNT_PATH, inside it",
                                        "LOG_FILE_PATH='/nope/x': expected a file in a folder that exists; there is no"
                                                + " /nope"));
    }

    @Test
    void theRootOfTheFileSystemIsRefusedByWhateverName() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("all"), Path.of("/"));
        for (String mount : List.of("/", "/usr/..", link.toString())) {
            for (String cache : List.of(".", "", "usr/..")) {
                assertThatThrownBy(() -> options(Map.of(
                                "PVC_MOUNT_PATH", mount, "CACHE_DIRECTORY", cache, "DRY_RUN", "true", "ADOPT", "true")))
                        .hasMessageStartingWith(
                                "PVC_MOUNT_PATH='" + mount + "': expected with CACHE_DIRECTORY='" + cache)
                        .hasMessageEndingWith(" is the root of the file system");
            }
        }
        assertThat(options(Map.of("PVC_MOUNT_PATH", "/", "CACHE_DIRECTORY", "srv/kv"))
                        .config()
                        .cacheDirectory())
                .isEqualTo("srv/kv");
    }

    @Test
    void rulesByModelAreRead() {
        VolumeConfig config = options(Map.of("MODEL_TTL", "org/a=7d, b=12h", "MODEL_QUOTA", "org/a=1Gi"))
                .config();
        assertThat(config.ttlSeconds()).isEqualTo(Map.of("org/a", 604_800L, "b", 43_200L));
        assertThat(config.quotaBytes()).isEqualTo(Map.of("org/a", 1L << 30));
    }
}
