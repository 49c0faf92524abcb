package io.tidemark.server.volume;

import io.tidemark.core.volume.CrawlerStats;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeStatus;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Which status blocks are written: every one, or those that tell of something, and one an hour as a sign of life. Walks and
 * what they count are nothing to tell of: they go on as long as the process runs.
 */
final class StatusRhythm {
    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    /** Usage that has moved by less since the last block is what it was. */
    private static final double PERCENT = 1;

    private final boolean changesOnly;
    private Optional<Written> last = Optional.empty();

    /** What the last block said of that. */
    private record Written(Facts facts, double percent, long nanos) {}

    private record Facts(
            boolean isMeasured,
            boolean deleting,
            long removedFiles,
            long removedFolders,
            long statErrors,
            String problem) {}

    StatusRhythm(String statusLines) {
        this.changesOnly = statusLines.equals("changes");
    }

    /** Whether this one is to be written now; it is then the last that was. */
    boolean isToBeWritten(VolumeStatus status, long nowNanos) {
        Facts facts = new Facts(
                status.usage().isPresent(),
                status.deleting(),
                status.removedFiles(),
                status.removedFolders(),
                status.crawlers().stream()
                        .mapToLong(CrawlerStats.Reading::statErrors)
                        .sum(),
                status.problem());
        double percent = status.usage().map(Usage::percent).orElse(0.0);
        boolean nothingNew = last.filter(before -> before.facts.equals(facts)
                        && Math.abs(before.percent - percent) < PERCENT
                        && nowNanos - before.nanos < SILENCE_NANOS)
                .isPresent();
        if (changesOnly && nothingNew) {
            return false;
        }
        last = Optional.of(new Written(facts, percent, nowNanos));
        return true;
    }
}
