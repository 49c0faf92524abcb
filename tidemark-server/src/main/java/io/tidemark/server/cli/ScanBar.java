package io.tidemark.server.cli;

import io.tidemark.core.volume.VolumeScan;
import java.util.Locale;

/** How far a scan is, drawn over itself on one line of a terminal. */
final class ScanBar {
    private static final int CELLS = 30;

    /** Takes the line away. */
    static final String GONE = "\r\u001b[K";

    private ScanBar() {}

    static String line(VolumeScan.Progress soFar) {
        int full = (int) (soFar.share() * CELLS);
        return GONE
                + String.format(
                        Locale.ROOT,
                        "[%s%s] %3d %%, %d files",
                        "#".repeat(full),
                        "-".repeat(CELLS - full),
                        (int) (soFar.share() * 100),
                        soFar.files());
    }
}
