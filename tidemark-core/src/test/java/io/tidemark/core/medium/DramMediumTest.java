package io.tidemark.core.medium;

import java.io.IOException;

class DramMediumTest extends MediumContractTest {
    @Override
    Medium open(int pages) throws IOException {
        return DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", pages * 4096L));
    }
}
