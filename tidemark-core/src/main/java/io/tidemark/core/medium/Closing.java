package io.tidemark.core.medium;

import java.io.IOException;
import java.util.List;

/** Closes what belongs together: each, also where one before it fails, since a lock among them keeps the next try out. */
final class Closing {
    private Closing() {}

    /** Something open. */
    interface Open {
        void close() throws IOException;
    }

    /**
     * Closes all of them in this order.
     *
     * @throws IOException with the failure of each that could not be closed suppressed in it
     */
    static void all(List<Open> open) throws IOException {
        IOException failures = new IOException("not all files could be closed");
        for (Open file : open) {
            behind(failures, file);
        }
        if (failures.getSuppressed().length > 0) {
            throw failures;
        }
    }

    /** Closes behind a failure, which stays what is told. */
    static void behind(Throwable failure, Open open) {
        try {
            open.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
