package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;

/**
 * The layout of vLLM's {@code fs} tier and llm-d's file-system backend, exactly as the writers make it:
 * {@code <model>_<digest>_r<rank>/<hhh>/<hh>_g<group>/<hash>.bin}, hash in lower-case hexadecimal, temporary files
 * {@code <hash>.bin<anything>.tmp} beside it.
 */
public final class FsLayout implements Layout {
    /** How the name of a block ends. */
    static final byte[] BLOCK_SUFFIX = ".bin".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] TEMPORARY_SUFFIX = ".tmp".getBytes(StandardCharsets.US_ASCII);
    private static final int HASH_DIGITS_MIN = 16;
    private static final int LEAF_DIGITS = 2;

    private final int bucketDigits;

    /**
     * The layout.
     *
     * @param bucketDigits length of a bucket's name, 3 as written today
     */
    public FsLayout(int bucketDigits) {
        this.bucketDigits = bucketDigits;
    }

    @Override
    public String name() {
        return "fs";
    }

    @Override
    public int levels() {
        return 2;
    }

    @Override
    public RankRule rankRule() {
        return RankRule.BY_NAME;
    }

    @Override
    public boolean isRank(Name directory) {
        return isRankName(directory);
    }

    /** Whether a name ends in {@code _r<number>}. */
    static boolean isRankName(Name directory) {
        int digits = directory.length();
        while (digits > 0 && directory.byteAt(digits - 1) >= '0' && directory.byteAt(digits - 1) <= '9') {
            digits--;
        }
        return digits < directory.length()
                && digits > 2
                && directory.byteAt(digits - 1) == 'r'
                && directory.byteAt(digits - 2) == '_';
    }

    @Override
    public int bucketDigit(Name directory) {
        boolean bucket = directory.length() == bucketDigits && directory.isLowerHex(0, bucketDigits);
        return bucket ? Name.lowerHex(directory.byteAt(bucketDigits - 1)) : -1;
    }

    @Override
    public boolean isLeaf(Name directory) {
        return directory.length() > LEAF_DIGITS + 2
                && directory.isLowerHex(0, LEAF_DIGITS)
                && directory.byteAt(LEAF_DIGITS) == '_'
                && directory.byteAt(LEAF_DIGITS + 1) == 'g'
                && directory.isDecimal(LEAF_DIGITS + 2);
    }

    @Override
    public boolean isBlock(Name file) {
        int digits = file.length() - BLOCK_SUFFIX.length;
        return digits >= HASH_DIGITS_MIN
                && digits % 2 == 0
                && file.endsWith(BLOCK_SUFFIX)
                && file.isLowerHex(0, digits);
    }

    @Override
    public boolean isOrphan(Name file) {
        if (!file.endsWith(TEMPORARY_SUFFIX)) {
            return false;
        }
        int digits = file.leadingHex();
        return digits >= HASH_DIGITS_MIN
                && file.length() >= digits + BLOCK_SUFFIX.length
                && file.byteAt(digits) == '.'
                && file.byteAt(digits + 1) == 'b'
                && file.byteAt(digits + 2) == 'i'
                && file.byteAt(digits + 3) == 'n';
    }

    @Override
    public BlockHash hash(Name file) {
        return isBlock(file) ? lowBits(file, file.length() - BLOCK_SUFFIX.length) : BlockHash.UNKNOWN;
    }

    /** The last 16 of the first {@code digits} hexadecimal digits. */
    static BlockHash lowBits(Name file, int digits) {
        int high = Integer.reverseBytes(HexWords.pack(file.wordAt(digits - 2 * HexWords.DIGITS)));
        int low = Integer.reverseBytes(HexWords.pack(file.wordAt(digits - HexWords.DIGITS)));
        return new BlockHash(true, (long) high << Integer.SIZE | Integer.toUnsignedLong(low));
    }

    @Override
    public boolean provesItself() {
        return true;
    }
}
