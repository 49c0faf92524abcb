package io.tidemark.server;

import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.FileRights;
import io.tidemark.server.machine.FileTrouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Why an SSD directory cannot be used, where what its opening said leaves that open. */
final class SsdRefusal {
    private SsdRefusal() {}

    /** What the opening said, with the reason, the sizes, or whose the files are, where it left that out. */
    static String explained(TierPlan.Ssd ssd, String why) {
        try {
            if (why.equals(ssd.directory().toString())) {
                Files.createDirectories(ssd.directory());
            }
            return why + (why.contains("ENOSPC") ? roomIn(ssd) : FileRights.behind(why));
        } catch (IOException e) {
            return FileTrouble.reason(e);
        }
    }

    private static String roomIn(TierPlan.Ssd ssd) throws IOException {
        Path directory = ssd.directory();
        return "; it needs up to " + ByteSize.rounded(ssd.capacityBytes()) + ", its file system has "
                + ByteSize.rounded(Files.getFileStore(directory).getUsableSpace()) + " left";
    }
}
