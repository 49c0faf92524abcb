package io.tidemark.core.volume;

/**
 * What a rehearsal would have removed so far.
 *
 * @param coldestSeconds last use of the coldest file, seconds since 1970; 0 without files
 * @param youngestSeconds last use of the youngest; 0 without files
 */
public record RehearsalSum(long files, long bytes, long coldestSeconds, long youngestSeconds) {
    static final RehearsalSum NOTHING = new RehearsalSum(0, 0, 0, 0);

    /** Without so many files; the ages stay. */
    RehearsalSum less(long fewerFiles, long fewerBytes) {
        return new RehearsalSum(files - fewerFiles, bytes - fewerBytes, coldestSeconds, youngestSeconds);
    }

    /** With one more file. */
    RehearsalSum plus(long fileBytes, long usedSeconds) {
        return files == 0
                ? new RehearsalSum(1, fileBytes, usedSeconds, usedSeconds)
                : new RehearsalSum(
                        files + 1,
                        bytes + fileBytes,
                        Math.min(coldestSeconds, usedSeconds),
                        Math.max(youngestSeconds, usedSeconds));
    }
}
