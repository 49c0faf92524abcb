package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;

/**
 * The layout of AIBrix's SHFS connector: {@code <connection>/<k[0:2]>/<k[2:4]>/<key>}, key in lower-case hexadecimal,
 * no ending. It has no configuration file beside it, so its root has to be adopted.
 */
public final class ShfsLayout implements Layout {
    private static final byte[] TEMPORARY_SUFFIX = ".tmp".getBytes(StandardCharsets.US_ASCII);
    private static final int LEVEL_DIGITS = 2;
    private static final int KEY_DIGITS_MIN = 16;

    @Override
    public String name() {
        return "shfs";
    }

    @Override
    public int levels() {
        return 2;
    }

    @Override
    public RankRule rankRule() {
        return RankRule.CHILDREN;
    }

    @Override
    public boolean isRank(Name directory) {
        return directory.byteAt(0) != '.';
    }

    @Override
    public int bucketDigit(Name directory) {
        return isLeaf(directory) ? Name.lowerHex(directory.byteAt(LEVEL_DIGITS - 1)) : -1;
    }

    @Override
    public boolean isLeaf(Name directory) {
        return directory.length() == LEVEL_DIGITS && directory.isLowerHex(0, LEVEL_DIGITS);
    }

    @Override
    public boolean isBlock(Name file) {
        return isKey(file, file.length());
    }

    @Override
    public boolean isOrphan(Name file) {
        return file.endsWith(TEMPORARY_SUFFIX) && isKey(file, file.leadingHex());
    }

    private static boolean isKey(Name file, int digits) {
        return digits >= KEY_DIGITS_MIN && digits % 2 == 0 && file.isLowerHex(0, digits);
    }

    @Override
    public BlockHash hash(Name file) {
        return isBlock(file) ? FsLayout.lowBits(file, file.length()) : BlockHash.UNKNOWN;
    }

    @Override
    public boolean provesItself() {
        return false;
    }
}
