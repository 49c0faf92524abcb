package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SsdMediumTest extends MediumContractTest {
    @TempDir
    Path dir;

    @Override
    Medium open(int pages) throws IOException {
        return SsdMedium.open(
                NativeSys.INSTANCE,
                SsdOptions.of("ssd0", dir, SsdOptions.CAPACITY_BYTES_MIN),
                new SsdLayout(256 << 10, 256 << 10, pages));
    }

    @Override
    int stressSteps() {
        return 150;
    }
}
