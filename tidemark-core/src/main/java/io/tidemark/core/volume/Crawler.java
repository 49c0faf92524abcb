package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.StatxBuffer;
import io.tidemark.core.pool.Clocks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * One crawler: walks the pieces of a pass that the board deals it. Each directory is opened once, relative to the one
 * above, and each file looked at once, by the name that lies in the listing's buffer. What cannot be read is counted and
 * left out. One thread.
 */
final class Crawler {
    private static final long TAKE_MILLIS = 500;
    private static final int NAME_BYTES_MAX = 255;

    private final int number;
    private final DirectoryCalls calls;
    private final VolumeRoot root;
    private final Layout layout;
    private final CrawlBoard board;
    private final Findings findings;
    private final FileSorter sorter;
    private final long folderTtlSeconds;
    private final Pace pace;
    private final Clocks clocks;
    private final CrawlerStats stats;

    private final DirectoryReader buckets;
    private final DirectoryReader files;
    private final MemorySegment facts = StatxBuffer.allocate();
    private final PackedPath path = new PackedPath();
    private final byte[] bucketBytes = new byte[NAME_BYTES_MAX + 1];
    private final Name bucketName = Name.empty();
    private long nowSeconds;
    private long discovered;
    private long queued;
    private long emptyFolders;
    private long hot;
    private long errors;
    /** Whether something of the piece could not be read. */
    private boolean missed;

    /** Whether something of the piece could not be read of which more is known by a walk before. */
    private boolean hidden;

    /**
     * A crawler.
     *
     * @param number by which the board deals
     * @param folderTtlSeconds how long an empty folder must have been left alone to be of interest
     */
    Crawler(
            int number,
            CacheTree tree,
            CrawlBoard board,
            Findings findings,
            long folderTtlSeconds,
            Pace pace,
            Clocks clocks,
            CrawlerStats stats) {
        this.number = number;
        this.calls = tree.calls();
        this.root = tree.root();
        this.layout = tree.layout();
        this.board = board;
        this.findings = findings;
        this.sorter = findings.sorter();
        this.folderTtlSeconds = folderTtlSeconds;
        this.pace = pace;
        this.clocks = clocks;
        this.stats = stats;
        this.buckets = new DirectoryReader(calls);
        this.files = new DirectoryReader(calls);
    }

    /** Walks the next piece, if one comes within a while. */
    void step() throws InterruptedException {
        Optional<ShardTask> task = board.take(number, TAKE_MILLIS);
        if (task.isPresent()) {
            missed = false;
            hidden = false;
            walk(task.get());
            board.done(number, !missed);
        }
    }

    private void walk(ShardTask task) throws InterruptedException {
        int cache = root.openCache();
        if (cache < 0) {
            failed(cache);
            missed = true; // whatever the reason: it is the whole volume that is not there
            if (!task.sample()) {
                findings.unread().add("", -cache);
            }
            return;
        }
        try {
            int rank = task.rank().path().length == 0
                    ? cache
                    : calls.openBelow(cache, RankFinder.terminated(task.rank().path()), 0);
            if (rank < 0) {
                unread(task, "", rank);
                return;
            }
            try {
                walkRank(task, rank);
            } finally {
                if (rank != cache) {
                    calls.close(rank);
                }
            }
        } finally {
            calls.close(cache);
            publish();
        }
    }

    private void walkRank(ShardTask task, int rank) throws InterruptedException {
        AgeHistogram ages = findings.census().newHistogram(task.rank().id(), task.digit());
        nowSeconds = clocks.wallMillis() / 1000;
        if (layout.levels() == 0) {
            path.noLeaf();
            walkFiles(task, rank, ages);
            findings.census().put(task.rank().id(), task.digit(), ages, hidden);
            return;
        }
        int count = task.buckets().count(task.digit());
        int seen = 0;
        while (seen < count && !pace.stopping() && ages.files() < task.filesMax()) {
            long start = clocks.monotonicNanos();
            walkBucket(task, rank, task.buckets().offset(task.digit(), seen), ages);
            seen++;
            publish();
            pace.rest(clocks.monotonicNanos() - start);
        }
        if (task.sample() && seen > 0) {
            findings.census().putSample(task.rank().id(), task.digit(), ages, (double) count / seen);
        } else if (seen == count) {
            findings.census().put(task.rank().id(), task.digit(), ages, hidden);
        }
    }

    private void walkBucket(ShardTask task, int rank, long nameOffset, AgeHistogram ages) {
        MemorySegment names = task.buckets().names();
        int bucket = calls.openBelow(rank, names, nameOffset);
        bucketName.moveTo(bucketBytes, 0, copyName(names, nameOffset));
        if (bucket < 0) {
            unread(task, "/" + bucketName.toLatin1(), bucket);
            return;
        }
        try {
            walkLeaves(task, rank, bucket, names, nameOffset, ages);
        } finally {
            calls.close(bucket);
        }
    }

    private void walkLeaves(
            ShardTask task, int rank, int bucket, MemorySegment names, long nameOffset, AgeHistogram ages) {
        buckets.start(bucket);
        boolean empty = true;
        while (buckets.next()) {
            empty = false;
            if (buckets.maybeDirectory() && layout.isLeaf(buckets.name())) {
                walkLeaf(task, bucket, ages);
            }
        }
        if (buckets.error() < 0) {
            unread(task, "/" + bucketName.toLatin1(), buckets.error());
        } else if (empty) {
            offerEmpty(task, rank, names, nameOffset, bucketName.toLatin1());
        }
    }

    /** Copies the name of a bucket onto the heap; its length. */
    private int copyName(MemorySegment names, long offset) {
        int length = (int) Math.min(bucketBytes.length, names.byteSize() - offset);
        MemorySegment.copy(names, ValueLayout.JAVA_BYTE, offset, bucketBytes, 0, length);
        int end = 0;
        while (bucketBytes[end] != 0) {
            end++;
        }
        return end;
    }

    private void walkLeaf(ShardTask task, int bucket, AgeHistogram ages) {
        Name name = buckets.name();
        int leaf = calls.openBelow(bucket, buckets.buffer(), buckets.nameOffset());
        if (leaf < 0) {
            if (leaf != -Errno.ENOTDIR) {
                unread(task, "/" + bucketName.toLatin1() + "/" + name.toLatin1(), leaf);
            }
            return;
        }
        boolean empty;
        try {
            path.leaf(bucketName, name, buckets.inode());
            empty = walkFiles(task, leaf, ages);
        } finally {
            calls.close(leaf);
        }
        if (empty) {
            offerEmpty(
                    task,
                    bucket,
                    buckets.buffer(),
                    buckets.nameOffset(),
                    bucketName.toLatin1() + "/" + name.toLatin1());
        }
    }

    /** Looks at the files of an open directory; answers whether it is empty. */
    private boolean walkFiles(ShardTask task, int directory, AgeHistogram ages) {
        files.start(directory);
        boolean empty = true;
        int failed = 0;
        while (files.next()) {
            empty = false;
            if (files.maybeFile()) {
                int result = look(task, directory, files.name(), ages);
                failed = result == 0 ? failed : result;
            }
        }
        // files that cannot be looked at are as unknown as those of a folder that cannot be read
        String folder = layout.levels() == 0 ? "" : "/" + bucketName.toLatin1();
        if (files.error() < 0) {
            unread(task, folder, files.error());
        } else if (failed < 0) {
            note(task, folder, failed);
        }
        return empty && files.error() == 0;
    }

    /** Looks at a file; 0, or the negated error where it cannot be looked at. One that has gone is none. */
    private int look(ShardTask task, int directory, Name name, AgeHistogram ages) {
        boolean block = layout.isBlock(name);
        if (!block && !layout.isOrphan(name)) {
            return 0;
        }
        int result = calls.stat(directory, files.buffer(), files.nameOffset(), facts);
        if (result == -Errno.ENOENT) {
            return 0;
        }
        if (result < 0) {
            failed(result);
            return result;
        }
        if (!StatxBuffer.isRegular(facts)) {
            return 0;
        }
        if (!block) {
            sorter.orphan(task.rank(), path, name, facts, nowSeconds);
            return 0;
        }
        FileSorter.Sorted sorted = sorter.block(task.rank(), path, name, facts, nowSeconds, ages, task.sample());
        if (!task.sample()) {
            discovered++;
            queued += sorted == FileSorter.Sorted.READY ? 1 : 0;
            hot += sorted == FileSorter.Sorted.HOT ? 1 : 0;
        }
        return 0;
    }

    private void offerEmpty(ShardTask task, int parent, MemorySegment name, long offset, String pathBelowRank) {
        boolean old = calls.stat(parent, name, offset, facts) >= 0
                && clocks.wallMillis() / 1000 - StatxBuffer.modifiedSeconds(facts) >= folderTtlSeconds;
        if (!task.sample() && old && findings.folders().offer(new FolderQueue.Folder(task.rank(), pathBelowRank))) {
            emptyFolders++;
        }
    }

    /** A folder below the rank directory could not be read, or in part only; one that has gone leaves nothing unread. */
    private void unread(ShardTask task, String below, int result) {
        failed(result);
        if (result != -Errno.ENOENT) {
            note(task, below, result);
        }
    }

    private void note(ShardTask task, String below, int result) {
        if (!task.sample()) {
            hidden |= findings.unread().add(task.rank() + below, -result);
        }
    }

    private void failed(int result) {
        errors++;
        missed |= result != -Errno.ENOENT;
        findings.counters().skipped(Errno.name(-result));
    }

    private void publish() {
        pace.progress();
        stats.add(new CrawlerStats.Reading(discovered, queued, emptyFolders, hot, errors));
        discovered = 0;
        queued = 0;
        emptyFolders = 0;
        hot = 0;
        errors = 0;
    }
}
