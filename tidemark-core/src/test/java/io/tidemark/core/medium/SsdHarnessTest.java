package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of one SSD medium in a folder of its own. */
abstract class SsdHarnessTest {
    @TempDir
    Path dir;

    SsdHarness harness;

    @BeforeEach
    final void open() throws IOException {
        harness = new SsdHarness(dir);
    }

    @AfterEach
    final void close() {
        harness.sys.heal();
        harness.ssd.close();
    }
}
