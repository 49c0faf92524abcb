package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Path;

/** What the tier below lies on, in scenarios that have to hold on any device. */
enum Below {
    /** Bytes in memory. */
    MEMORY(1),
    /** A real SSD medium, with files, journal and checksums. */
    SSD(47);

    /** Most pages that can be asked for: beyond it an SSD medium has fewer than asked for, its records take more. */
    private static final int PAGES_MAX = 200;

    private static final int SSD_PAGE_BYTES = 65_536;

    /** What journals, checkpoints and the directory take of a small capacity. */
    private static final long RECORD_BYTES = (4 * 256 + 64) << 10;

    private final int pagesMin;

    Below(int pagesMin) {
        this.pagesMin = pagesMin;
    }

    /**
     * The medium {@code far0}, which the test can break.
     *
     * @param folder for files
     * @param pages blocks of a page that fit, or the fewest that there can be if that is more
     */
    FarMedium open(Path folder, int pages) throws IOException {
        int count = pages(pages);
        assertThat(count).isLessThanOrEqualTo(PAGES_MAX);
        if (this == MEMORY) {
            return new FarMedium("far0", count);
        }
        SsdMedium ssd = SsdMedium.open(
                NativeSys.INSTANCE,
                new SsdOptions(
                        "far0",
                        folder,
                        RECORD_BYTES + (long) count * SSD_PAGE_BYTES,
                        SSD_PAGE_BYTES,
                        DramOptions.MAX_BLOCK_BYTES_DEFAULT,
                        false));
        ssd.copies().trackOrder("lru+np");
        assertThat(ssd.ledger().snapshot().capacity()).isEqualTo((long) count * SSD_PAGE_BYTES);
        return new FarMedium(ssd);
    }

    /** How many pages {@link #open} makes. */
    int pages(int wanted) {
        return Math.max(pagesMin, wanted);
    }
}
