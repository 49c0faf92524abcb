package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.StatxBuffer;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the rank directories below the root of a cache and lists their buckets, each directory opened once. Links are
 * not followed, hidden directories are left out, and what lies inside a rank directory is not searched.
 */
final class RankFinder {
    private static final int DEPTH_MAX = 8;

    /**
     * How many directories may lie between the root and a rank directory that proves it: a whole volume as the root, with
     * the cache in {@code kv/model-cache/models}. A cache anywhere below proves nothing of what is around it.
     */
    private static final int PROOF_DEPTH_MAX = 3;

    /** Bound of one search: a foreign tree below the root must not hold a pass for ever. */
    static final int DIRECTORIES_MAX = 100_000;

    /** Of the file system itself, and for nobody but root to read. */
    private static final byte[] LOST_AND_FOUND = "lost+found".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] CONFIG = "config.json\0".getBytes(StandardCharsets.US_ASCII);

    private final DirectoryCalls calls;
    private final Layout layout;
    /** For one listing after another: none is read while one further down is. */
    private final DirectoryReader reader;

    private final List<FoundRank> found = new ArrayList<>();
    private int visited;
    private boolean proven;
    private final List<Unreadable> unreadable = new ArrayList<>();

    RankFinder(DirectoryCalls calls, Layout layout) {
        this.calls = calls;
        this.layout = layout;
        this.reader = new DirectoryReader(calls);
    }

    /**
     * A rank directory and its buckets.
     *
     * @param path below the root of the cache
     */
    @SuppressWarnings("ArrayRecordComponent") // a carrier: compared by nobody
    record FoundRank(byte[] path, BucketList buckets) {}

    /**
     * A directory that could not be read, or in part only.
     *
     * @param path below the root of the cache
     */
    record Unreadable(String path, int errno) {}

    /**
     * What a search found.
     *
     * @param proven a model's configuration file lies beside a rank directory
     * @param truncated there were more directories than one search looks at
     */
    record Found(List<FoundRank> ranks, boolean proven, List<Unreadable> unreadable, boolean truncated) {}

    /** Searches below an open root. */
    Found find(int root) {
        if (layout.rankRule() == Layout.RankRule.ROOT) {
            return new Found(List.of(new FoundRank(new byte[0], BucketList.NONE)), false, List.of(), false);
        }
        visit(root, new byte[0], 0, false);
        return new Found(List.copyOf(found), proven, List.copyOf(unreadable), visited >= DIRECTORIES_MAX);
    }

    /** The children of one directory, as far as the search cares. */
    private static final class Children {
        private final BucketList.Builder buckets = new BucketList.Builder();
        private final List<byte[]> directories = new ArrayList<>();
        private boolean hasRankChild;
        private int errno;
    }

    private void visit(int directory, byte[] path, int depth, boolean named) {
        visited++;
        Children children = list(directory, named);
        if (children.errno != 0) {
            unreadable.add(new Unreadable(text(path), children.errno));
        }
        boolean rank = named || (depth > 0 && children.hasRankChild && layout.rankRule() == Layout.RankRule.BY_BUCKETS);
        if (rank && children.errno != 0) {
            return; // a part of it would pass for all of it
        }
        if (rank) {
            found.add(new FoundRank(path, children.buckets.build()));
            return;
        }
        for (byte[] child : children.directories) {
            if (depth < DEPTH_MAX && visited < DIRECTORIES_MAX) {
                descend(directory, path, depth, child);
            }
        }
    }

    private void descend(int directory, byte[] path, int depth, byte[] child) {
        boolean named = namedAsRank(child, depth);
        proven |= !proven
                && depth <= PROOF_DEPTH_MAX
                && layout.provesItself()
                && FsLayout.isRankName(Name.of(child))
                && hasConfigBeside(directory, child);
        MemorySegment name = terminated(child);
        int opened = calls.openBelow(directory, name, 0);
        if (opened < 0) {
            if (opened != -Errno.ENOENT && opened != -Errno.ENOTDIR) {
                unreadable.add(new Unreadable(text(join(path, child)), -opened));
            }
            return;
        }
        try {
            visit(opened, join(path, child), depth + 1, named);
        } finally {
            calls.close(opened);
        }
    }

    private boolean namedAsRank(byte[] child, int depth) {
        return switch (layout.rankRule()) {
            case BY_NAME -> layout.isRank(Name.of(child));
            case CHILDREN -> depth == 0 && layout.isRank(Name.of(child));
            case BY_BUCKETS, ROOT -> false;
        };
    }

    private Children list(int directory, boolean named) {
        Children children = new Children();
        reader.start(directory);
        while (reader.next()) {
            Name name = reader.name();
            if (!reader.maybeDirectory() || isLostAndFound(name)) {
                continue;
            }
            int digit = layout.bucketDigit(name);
            if (digit >= 0) {
                children.buckets.add(digit, name);
            }
            children.hasRankChild |= layout.rankRule() == Layout.RankRule.BY_BUCKETS && layout.isRank(name);
            if (!named && name.byteAt(0) != '.' && children.directories.size() < DIRECTORIES_MAX) {
                children.directories.add(name.toBytes());
            }
        }
        children.errno = -reader.error();
        return children;
    }

    private static String text(byte[] path) {
        return new String(path, StandardCharsets.UTF_8); // as RankDir.toString
    }

    private static boolean isLostAndFound(Name name) {
        return name.length() == LOST_AND_FOUND.length && Arrays.equals(name.toBytes(), LOST_AND_FOUND);
    }

    /** Whether {@code <base>/config.json} lies beside {@code <base>_r<rank>}. */
    private boolean hasConfigBeside(int directory, byte[] rank) {
        int base = rank.length;
        while (base > 0 && rank[base - 1] != '_') {
            base--;
        }
        if (base < 2) {
            return false;
        }
        int opened = calls.openBelow(directory, terminated(Arrays.copyOf(rank, base - 1)), 0);
        if (opened < 0) {
            return false;
        }
        try {
            MemorySegment facts = StatxBuffer.allocate();
            return calls.stat(opened, Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, CONFIG), 0, facts) >= 0
                    && StatxBuffer.isRegular(facts);
        } finally {
            calls.close(opened);
        }
    }

    static byte[] join(byte[] path, byte[] child) {
        if (path.length == 0) {
            return child;
        }
        ByteArrayOutputStream joined = new ByteArrayOutputStream(path.length + 1 + child.length);
        joined.writeBytes(path);
        joined.write('/');
        joined.writeBytes(child);
        return joined.toByteArray();
    }

    static MemorySegment terminated(byte[] name) {
        MemorySegment segment = Arena.ofAuto().allocate(name.length + 1L);
        MemorySegment.copy(name, 0, segment, ValueLayout.JAVA_BYTE, 0, name.length);
        return segment;
    }
}
