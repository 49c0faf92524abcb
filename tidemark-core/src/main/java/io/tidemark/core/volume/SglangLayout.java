package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;

/**
 * The flat layout of SGLang's file backend: {@code <key><suffix>.bin} right in the root, key a hash of 64 lower-case
 * hexadecimal digits, suffix {@code _<model>_<rank>_<size>}. A flat root proves nothing: it has to be adopted.
 */
public final class SglangLayout implements Layout {
    private static final byte[] BLOCK_SUFFIX = ".bin".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEMPORARY_SUFFIX = ".tmp".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_DIGITS = 64;

    @Override
    public String name() {
        return "sglang";
    }

    @Override
    public int levels() {
        return 0;
    }

    @Override
    public RankRule rankRule() {
        return RankRule.ROOT;
    }

    @Override
    public boolean isRank(Name directory) {
        return false;
    }

    @Override
    public int bucketDigit(Name directory) {
        return -1;
    }

    @Override
    public boolean isLeaf(Name directory) {
        return false;
    }

    @Override
    public boolean isBlock(Name file) {
        return file.endsWith(BLOCK_SUFFIX) && startsWithKey(file);
    }

    @Override
    public boolean isOrphan(Name file) {
        return file.endsWith(TEMPORARY_SUFFIX) && startsWithKey(file);
    }

    private static boolean startsWithKey(Name file) {
        return file.leadingHex() == KEY_DIGITS && (file.byteAt(KEY_DIGITS) == '_' || file.byteAt(KEY_DIGITS) == '.');
    }

    @Override
    public BlockHash hash(Name file) {
        return isBlock(file) ? FsLayout.lowBits(file, KEY_DIGITS) : BlockHash.UNKNOWN;
    }

    @Override
    public boolean provesItself() {
        return false;
    }
}
