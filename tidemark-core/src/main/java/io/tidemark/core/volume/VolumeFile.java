package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A file that may go, as it was seen. It is looked at again before it goes, and goes only if it was not used since.
 *
 * @param path below the rank directory, in bytes
 * @param pathHash of rank directory and path, as {@link ReadySlots#hash} has it
 * @param nameStart where the file's own name starts in {@code path}
 * @param seen by the last walk that came to it
 * @param cause why it may go
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
record VolumeFile(RankDir rank, byte[] path, int pathHash, int nameStart, Seen seen, RemovalCause cause) {
    /** Last use as seen. */
    long recencySeconds() {
        return seen.recencySeconds();
    }

    /** Allocated bytes as seen. */
    long bytes() {
        return seen.bytes();
    }

    /** Directory below the rank directory; empty where files lie in it. */
    byte[] directory() {
        return nameStart == 0 ? new byte[0] : Arrays.copyOf(path, nameStart - 1);
    }

    /** Whether it lies in the same directory as another one. */
    boolean isBeside(VolumeFile other) {
        return rank.id() == other.rank.id()
                && nameStart == other.nameStart
                && Arrays.equals(path, 0, nameStart, other.path, 0, nameStart);
    }

    /** First part of the path; the name itself where files lie in the rank directory. */
    Name bucket() {
        int end = 0;
        while (end < path.length && path[end] != '/') {
            end++;
        }
        return Name.of(path, 0, end);
    }

    /** The shard that it belongs to; -1 where its place says none. */
    int shard(Layout layout) {
        return nameStart == 0 ? 0 : layout.bucketDigit(bucket());
    }

    Name name() {
        return Name.of(path, nameStart, path.length);
    }

    /** The same file, whatever was seen of it. */
    @Override
    public boolean equals(Object other) {
        return other instanceof VolumeFile file
                && pathHash == file.pathHash
                && rank.id() == file.rank.id()
                && Arrays.equals(path, file.path);
    }

    @Override
    public int hashCode() {
        return pathHash;
    }

    /** The path for people. */
    String display() {
        return rank + "/" + new String(path, StandardCharsets.UTF_8);
    }
}
