package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A file that may go, as it was seen. It is looked at again before it goes.
 *
 * @param path below the rank directory, in bytes
 * @param nameStart where the file's own name starts in {@code path}
 * @param recencySeconds last use as seen
 * @param bytes allocated bytes as seen
 * @param cause why it may go
 * @param youngestSeconds it may go only if its last use, looked at again, is not later than this
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
record VolumeFile(
        RankDir rank,
        byte[] path,
        int nameStart,
        long recencySeconds,
        long bytes,
        RemovalCause cause,
        long youngestSeconds) {
    /** Directory below the rank directory; empty where files lie in it. */
    byte[] directory() {
        return nameStart == 0 ? new byte[0] : Arrays.copyOf(path, nameStart - 1);
    }

    /** First part of the path; the name itself where files lie in the rank directory. */
    byte[] bucket() {
        int end = 0;
        while (end < path.length && path[end] != '/') {
            end++;
        }
        return Arrays.copyOf(path, end);
    }

    byte[] name() {
        return Arrays.copyOfRange(path, nameStart, path.length);
    }

    /** The same file, whatever was seen of it. */
    @Override
    public boolean equals(Object other) {
        return other instanceof VolumeFile file && rank.id() == file.rank.id() && Arrays.equals(path, file.path);
    }

    @Override
    public int hashCode() {
        return 31 * rank.id() + Arrays.hashCode(path);
    }

    /** The path for people. */
    String display() {
        return rank + "/" + new String(path, StandardCharsets.UTF_8);
    }
}
