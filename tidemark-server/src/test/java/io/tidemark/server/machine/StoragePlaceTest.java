package io.tidemark.server.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoragePlaceTest {
    private static final List<String> MOUNTS = List.of(
            "21 1 0:20 / / rw,relatime - overlay overlay rw,lowerdir=/l",
            "22 21 0:21 / /dev/shm rw shared:2 - tmpfs tmpfs rw",
            "23 21 8:1 / /data rw shared:3 - ext4 /dev/sda1 rw",
            "24 21 8:1 /var/lib/kubelet/pods/5f/volumes/kubernetes.io~empty-dir/cache /cache rw - xfs /dev/sda1 rw",
            "25 23 0:30 / /data/with\\040blank rw - nfs4 host:/x rw");

    @Test
    void theNearestMountAboveAPathCounts() {
        assertThat(StoragePlace.of(Path.of("/data/ssd"), MOUNTS))
                .contains(new StoragePlace("ext4", Path.of("/data"), "/"));
        assertThat(StoragePlace.of(Path.of("/database"), MOUNTS))
                .contains(new StoragePlace("overlay", Path.of("/"), "/"));
        assertThat(StoragePlace.of(Path.of("/data/with blank/x"), MOUNTS))
                .hasValueSatisfying(place -> assertThat(place.type()).isEqualTo("nfs4"));
    }

    /** Somebody else's mount may bear a name that the locale of this process has no characters for. */
    @Test
    void aMountOfNoPathIsPassedOver() {
        List<String> mounts = List.of(MOUNTS.getFirst(), "26 21 8:1 / /a\0b rw - ext4 /dev/sda1 rw", MOUNTS.get(2));
        assertThat(StoragePlace.of(Path.of("/data/ssd"), mounts))
                .contains(new StoragePlace("ext4", Path.of("/data"), "/"));
    }

    @Test
    void placesThatDoNotKeepBlocksAreAConcern() {
        assertThat(concern("/data/ssd")).isEmpty();
        assertThat(concern("/dev/shm/x")).contains("tmpfs");
        assertThat(concern("/var/x")).contains("overlay");
        assertThat(concern("/cache/x")).contains("emptyDir");
        assertThat(concern("/data/with blank")).contains("network");
    }

    private static String concern(String path) {
        return StoragePlace.of(Path.of(path), MOUNTS)
                .flatMap(StoragePlace::concern)
                .orElse("");
    }
}
