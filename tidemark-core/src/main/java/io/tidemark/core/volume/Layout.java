package io.tidemark.core.volume;

import java.util.Optional;

/**
 * How a cache lies on a volume: which directories and files belong to it. Everything else is never touched.
 *
 * <p>A rank directory holds the blocks of one rank of one model: {@link #levels} levels of directories (buckets, then
 * leaves) and files below. Buckets are dealt to the crawlers by a digit 0..15. Implementations keep no state and are
 * called once per directory entry, from every crawler.
 */
public interface Layout {
    /** Name of the layout in settings: {@code fs}, {@code sglang}, {@code shfs}. */
    String name();

    /** Directory levels between a rank directory and its files: 2, or 0 where the files lie in it. */
    int levels();

    /** Where rank directories are. */
    RankRule rankRule();

    /** Whether a directory of this name is a rank directory, for {@link RankRule#BY_NAME}. */
    boolean isRank(Name directory);

    /** Digit 0..15 of a bucket directory, or -1 when it is none. */
    int bucketDigit(Name directory);

    /** Whether a directory of this name in a bucket holds files of the cache. */
    boolean isLeaf(Name directory);

    /** Whether a file of this name is a complete block. */
    boolean isBlock(Name file);

    /** Whether a file of this name is what a writer leaves behind when it dies between write and rename. */
    boolean isOrphan(Name file);

    /** The low 64 bits of the block's hash where the name gives one. */
    BlockHash hash(Name file);

    /** The model that a block's name bears, where directories do not tell it; empty where they do, or nothing does. */
    default Optional<String> model(Name file) {
        return Optional.empty();
    }

    /** Whether the layout proves itself by configuration files beside its rank directories. */
    boolean provesItself();

    /** How rank directories are recognised. */
    enum RankRule {
        /** By {@link #isRank}, at any depth. */
        BY_NAME,
        /** Any directory that has a child named like a bucket, at any depth. */
        BY_BUCKETS,
        /** The directories right below the root. */
        CHILDREN,
        /** The root itself. */
        ROOT
    }

    /**
     * Hash of a block as an event names it.
     *
     * @param known false when the name holds no hash; then {@code value} is 0
     * @param value low 64 bits, unsigned
     */
    record BlockHash(boolean known, long value) {
        static final BlockHash UNKNOWN = new BlockHash(false, 0);
    }
}
