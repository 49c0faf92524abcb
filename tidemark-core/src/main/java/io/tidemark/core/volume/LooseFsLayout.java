package io.tidemark.core.volume;

/**
 * What the evictor that Tidemark replaces accepts of the {@code fs} layout ({@code LAYOUT_STRICT=false}): a rank
 * directory is any directory with a child that reads as a hexadecimal number of 2 to 4 characters, a leaf has any
 * name, and a file any name that ends in {@code .bin}. Links are not followed here either.
 */
public final class LooseFsLayout implements Layout {
    private final FsLayout strict;
    private final int bucketDigits;

    /**
     * The layout.
     *
     * @param bucketDigits length of a bucket's name in characters
     */
    public LooseFsLayout(int bucketDigits) {
        this.strict = new FsLayout(bucketDigits);
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
        return RankRule.BY_BUCKETS;
    }

    /** Whether the presence of this child makes its parent a rank directory. */
    @Override
    public boolean isRank(Name child) {
        String text = child.toString();
        int characters = text.codePointCount(0, text.length());
        return characters >= 2 && characters <= 4 && LooseHex.parse(text).isPresent();
    }

    @Override
    public int bucketDigit(Name directory) {
        String text = directory.toString();
        return text.codePointCount(0, text.length()) == bucketDigits
                ? LooseHex.parse(text).map(value -> Math.floorMod(value, 16)).orElse(-1)
                : -1;
    }

    @Override
    public boolean isLeaf(Name directory) {
        return true;
    }

    @Override
    public boolean isBlock(Name file) {
        return file.endsWith(FsLayout.BLOCK_SUFFIX);
    }

    @Override
    public boolean isOrphan(Name file) {
        return strict.isOrphan(file);
    }

    @Override
    public BlockHash hash(Name file) {
        return strict.hash(file);
    }

    @Override
    public boolean provesItself() {
        return true;
    }
}
