package io.tidemark.bench.ssd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the memory consists of that bytes are moved into and out of. */
enum Pages {
    /** Those of 4 KiB, each of which direct I/O hands to the device by itself. */
    SMALL,
    /** Those of 2 MiB, as a server has them. */
    HUGE;

    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    String text() {
        return switch (this) {
            case SMALL -> "small pages";
            case HUGE -> "huge pages";
        };
    }

    /** Whether our side gets huge ones when it asks for them. */
    static boolean hugeForAsking() {
        return hugeForAsking(SETTING);
    }

    static boolean hugeForAsking(Path setting) {
        try {
            String said = Files.readString(setting);
            return said.contains("[madvise]") || said.contains("[always]");
        } catch (IOException e) {
            return false;
        }
    }
}
