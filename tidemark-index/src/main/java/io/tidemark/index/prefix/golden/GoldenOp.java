package io.tidemark.index.prefix.golden;

import java.util.OptionalLong;

/** A recorded call. Namespaces are the numbers of the recording, tokens are raw. */
public sealed interface GoldenOp {
    /** {@code ins}: store a key, with what the request held and had counted before. */
    @SuppressWarnings("ArrayRecordComponent")
    record Insert(int namespace, int[] tokens, int priority, int protectedLength, int countedLength)
            implements GoldenOp {}

    /** {@code mat}: find the longest prefix. */
    @SuppressWarnings("ArrayRecordComponent")
    record Match(int namespace, int[] tokens) implements GoldenOp {}

    /** {@code lck}: match, then lock what is on the device under a handle. */
    @SuppressWarnings("ArrayRecordComponent")
    record Lock(int namespace, int[] tokens, long handle) implements GoldenOp {}

    /** {@code unl}: release the lock of a handle. */
    record Unlock(long handle) implements GoldenOp {}

    /** {@code evi}: evict from the device. */
    record Evict(long units) implements GoldenOp {}

    /** {@code evh}: evict from the host. */
    record EvictHost(long units) implements GoldenOp {}

    /** {@code lb}: match, then load back what is on the host only. */
    @SuppressWarnings("ArrayRecordComponent")
    record Load(int namespace, int[] tokens) implements GoldenOp {}

    /** {@code ackw}: complete up to so many backups, oldest first. */
    record CompleteWrites(long count) implements GoldenOp {}

    /** {@code ackl}: complete up to so many loads, oldest first. */
    record CompleteLoads(long count) implements GoldenOp {}

    /** {@code opn}: open a session. */
    record OpenSession(String session) implements GoldenOp {}

    /** {@code reg}: register a session at the end of the latest insert; without a generation with the current one. */
    record Register(String session, OptionalLong generation) implements GoldenOp {}

    /** {@code rel}: release a session. */
    record Release(String session) implements GoldenOp {}

    /** {@code rst}: reset the cache. */
    record Reset() implements GoldenOp {}

    /** {@code snap}: check all invariants and dump the tree. */
    record Snapshot() implements GoldenOp {}
}
