package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * The coldest files seen, ready to go: at most {@code capacity}, and of those whose paths do not fit a slot
 * {@link #LONG_PATHS_MAX}; each file at most once. When it is full the hottest makes room for a colder one.
 *
 * <p>Files of equal age bucket form a list; a bucket is an age as of the last {@link #rebase}. One lock guards
 * everything and is held for memory work only.
 */
final class ReadyBuffer {
    private static final int NONE = ReadySlots.NONE;
    /**
     * Files that one {@link #poll} puts in order, and takes at most: what bounds the time that it holds the lock. Of a
     * bucket with more than that the others count as equally old.
     */
    static final int SORTED_MAX = 100_000;

    /** Room for paths that do not fit their slot: they lie on the heap. */
    static final int LONG_PATHS_MAX = 131_072;

    /** One part of so many of what is still needed is not chosen from: what may turn out not to be needed. */
    private static final int LEFT_PARTS = 16;

    /** Bits of a slot's number: more slots than the largest buffer has. */
    private static final int SLOT_BITS = 28;

    /** Brings 32 bits without a sign into the range of those that have one. */
    private static final long SIGN = 1L << 31;

    private final ReentrantLock lock = new ReentrantLock();
    private final int capacity;

    @GuardedBy("lock")
    private final ReadySlots slots;

    @GuardedBy("lock")
    private final ReadyIndex index;

    @GuardedBy("lock")
    private final int[] heads = new int[AgeScale.FINE_BUCKETS];

    @GuardedBy("lock")
    private int size;

    /** No bucket above this one holds a file. */
    @GuardedBy("lock")
    private int coldest;

    /** No bucket below this one holds a file. */
    @GuardedBy("lock")
    private int hottest = AgeScale.FINE_BUCKETS - 1;

    /** No bucket below this one holds a file whose path does not fit its slot. */
    @GuardedBy("lock")
    private int hottestLong = AgeScale.FINE_BUCKETS - 1;

    @GuardedBy("lock")
    private long baseSeconds;

    /** Where in the order of directories the last call of {@link #poll} ended. */
    @GuardedBy("lock")
    private long directory;

    private final Intake intake = new Intake();

    /**
     * An empty buffer.
     *
     * @param longPathsMax files of these at most whose paths do not fit a slot
     * @param nowSeconds wall clock, see {@link #rebase}
     */
    ReadyBuffer(int capacity, int longPathsMax, long nowSeconds) {
        this.capacity = capacity;
        this.slots = new ReadySlots(longPathsMax);
        this.index = new ReadyIndex(slots);
        this.baseSeconds = nowSeconds;
        Arrays.fill(heads, NONE);
    }

    /** What is taken, and how far it is without gaps; files that are here stay when less is taken. */
    Intake intake() {
        return intake;
    }

    /** Takes a file, or brings it up to date; false when there is no room and it is as hot as the hottest. */
    boolean add(RankDir rank, PackedPath path, Name name, Seen seen) {
        int hash = ReadySlots.hash(rank.id(), path, name);
        lock.lock();
        try {
            int slot = index.find(rank.id(), path, name, hash);
            if (slot == NONE) {
                return insert(rank, path, name, hash, seen);
            }
            unlink(slot);
            slots.setSeen(slot, seen);
            link(slot);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back what {@link #poll} has given out and nobody has dealt with, unless a walk has found it again. */
    void giveBack(VolumeFile file) {
        PackedPath path = PackedPath.of(file);
        Name name = file.name();
        lock.lock();
        try {
            if (index.find(file.rank().id(), path, name, file.pathHash()) == NONE) {
                insert(file.rank(), path, name, file.pathHash(), file.seen());
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean insert(RankDir rank, PackedPath path, Name name, int hash, Seen seen) {
        if (size == capacity && !makesWay(hottestSlot(), seen.recencySeconds(), intake::full)) {
            return false;
        }
        boolean isLong = path.form() == PackedPath.Form.LONG;
        if (isLong
                && slots.isFullOfLongPaths()
                && !makesWay(hottestLongSlot(), seen.recencySeconds(), intake::leftOut)) {
            return false;
        }
        int slot = slots.allocate(rank.id(), path, name, hash);
        slots.setSeen(slot, seen);
        index.enter(slot);
        link(slot);
        size++;
        return true;
    }

    /**
     * Whether a file that is here makes way for one last used at {@code recencySeconds}, which is colder then.
     *
     * @param leftOut told the last use of the one that has no place
     */
    @GuardedBy("lock")
    private boolean makesWay(int slot, long recencySeconds, LongConsumer leftOut) {
        long here = slots.recency(slot);
        boolean colder = AgeScale.fineBucket(baseSeconds - recencySeconds) > AgeScale.fineBucket(baseSeconds - here);
        leftOut.accept(colder ? here : recencySeconds);
        if (colder) {
            drop(slot);
        }
        return colder;
    }

    /** One of the hottest, of which there are some. */
    @GuardedBy("lock")
    private int hottestSlot() {
        while (heads[hottest] == NONE) {
            hottest++;
        }
        return heads[hottest];
    }

    /** One of the hottest whose path does not fit a slot, of which there are some. */
    @GuardedBy("lock")
    private int hottestLongSlot() {
        int slot = firstLong(hottestLong);
        while (slot == NONE) {
            slot = firstLong(++hottestLong);
        }
        return slot;
    }

    @GuardedBy("lock")
    private int firstLong(int bucket) {
        int slot = heads[bucket];
        while (slot != NONE && !slots.isLong(slot)) {
            slot = slots.next(slot);
        }
        return slot;
    }

    /**
     * Takes out {@code files} of the coldest that were last used at {@code youngestSeconds} or before: those of neighbouring
     * directories ({@link ReadySlots#directoryOrder}), going on where the last call ended, among the coldest {@code choice} that
     * all but one part in {@link #LEFT_PARTS} of {@code bytes} reach. So a directory is visited seldom instead of once a call,
     * which also spares the journal of a file system the same block again and again. As what is needed shrinks so does what is
     * chosen from: when it turns out that less was needed, by others that free or by a stop, fewer colder files stay while
     * hotter ones have gone than were still needed (docs/volume-performance.md has how many).
     *
     * @param bytes what is still needed
     * @param choice files to choose from; up to {@code files} means the coldest
     */
    List<VolumeFile> poll(RankTable ranks, long youngestSeconds, long bytes, int files, int choice) {
        int most = Math.min(files, SORTED_MAX);
        List<VolumeFile> taken = new ArrayList<>(Math.max(0, most));
        lock.lock();
        try {
            LongList near = coldest(youngestSeconds, bytes - bytes / LEFT_PARTS, Math.min(choice, SORTED_MAX));
            LongList from = near.size() < most ? coldest(youngestSeconds, bytes, most) : near;
            for (int slot : neighbours(from, Math.min(most, from.size()))) {
                taken.add(file(slot, ranks));
                drop(slot);
            }
            while (coldest > 0 && heads[coldest] == NONE) {
                coldest--;
            }
        } finally {
            lock.unlock();
        }
        return taken;
    }

    /** Whether there is a file that may go; where that is not clear, by {@link #SORTED_MAX} of those of the coldest bucket. */
    boolean offers(long youngestSeconds) {
        lock.lock();
        try {
            int bucket = coldest;
            while (bucket > 0 && heads[bucket] == NONE) {
                bucket--;
            }
            // of most buckets it is all or none; only the one that the bound lies in has to be gone through
            boolean found = baseSeconds - AgeScale.youngestOfFine(bucket) <= youngestSeconds && heads[bucket] != NONE;
            int slot = baseSeconds - AgeScale.youngestOfFine(bucket + AgeScale.PARTS) <= youngestSeconds
                    ? heads[bucket]
                    : NONE;
            for (int looked = 0; slot != NONE && !found && looked < SORTED_MAX; looked++) {
                found = slots.recency(slot) <= youngestSeconds;
                slot = slots.next(slot);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Last uses above slots' numbers, coldest bucket first, until {@code bytes} or {@code files} is reached. */
    @GuardedBy("lock")
    private LongList coldest(long youngestSeconds, long bytes, int files) {
        LongList found = new LongList();
        long sum = 0;
        boolean goesOn = files > 0;
        for (int bucket = coldest; bucket >= 0 && goesOn; bucket--) {
            int start = found.size();
            Eligible more = collect(bucket, youngestSeconds, found);
            if (found.size() > files || sum + more.bytes > bytes) {
                found.sort(start);
                cut(found, start, files, bytes - sum);
                goesOn = false;
            } else {
                sum += more.bytes;
                goesOn = more.all && sum < bytes && found.size() < files;
            }
        }
        return found;
    }

    /** Keeps of those from {@code start} on as many as make up {@code bytes}, of all at most {@code files}. */
    @GuardedBy("lock")
    private void cut(LongList found, int start, int files, long bytes) {
        int end = start;
        long sum = 0;
        while (sum < bytes && end < Math.min(files, found.size())) {
            sum += ReadySlots.bytesOf(slots.use((int) found.get(end)));
            end++;
        }
        found.cut(end);
    }

    /** So many of the slots, in the order of their directories, from the last one taken on and around. */
    @GuardedBy("lock")
    private int[] neighbours(LongList from, int files) {
        long[] byDirectory = new long[from.size()];
        for (int i = 0; i < byDirectory.length; i++) {
            int slot = (int) from.get(i);
            byDirectory[i] = (slots.directoryOrder(slot) << SLOT_BITS) | slot;
        }
        Arrays.sort(byDirectory);
        int found = Arrays.binarySearch(byDirectory, directory << SLOT_BITS);
        int start = found < 0 ? -found - 1 : found;
        int[] chosen = new int[files];
        for (int i = 0; i < files; i++) {
            chosen[i] = (int) (byDirectory[(start + i) % byDirectory.length] & ((1L << SLOT_BITS) - 1));
        }
        directory = files == 0 ? directory : slots.directoryOrder(chosen[files - 1]);
        return chosen;
    }

    /**
     * What may go of a bucket.
     *
     * @param bytes of those files
     * @param all whether that is all of it: else no hotter bucket has any
     */
    private record Eligible(long bytes, boolean all) {}

    /** Appends the slots of a bucket that may go, in no order, {@link #SORTED_MAX} at most. */
    @GuardedBy("lock")
    private Eligible collect(int bucket, long youngestSeconds, LongList found) {
        int end = found.size() + SORTED_MAX;
        long bytes = 0;
        boolean all = true;
        for (int slot = heads[bucket]; slot != NONE && found.size() < end; slot = slots.next(slot)) {
            long use = slots.use(slot);
            long recency = ReadySlots.recencyOf(use);
            if (recency <= youngestSeconds) {
                found.add((recency - SIGN) << Integer.SIZE | slot);
                bytes += ReadySlots.bytesOf(use);
            } else {
                all = false;
            }
        }
        return new Eligible(bytes, all && found.size() < end);
    }

    @GuardedBy("lock")
    private VolumeFile file(int slot, RankTable ranks) {
        byte[] path = slots.path(slot);
        int nameStart = path.length;
        while (nameStart > 0 && path[nameStart - 1] != '/') {
            nameStart--;
        }
        return new VolumeFile(
                ranks.byId(slots.rank(slot)),
                path,
                slots.hash(slot),
                nameStart,
                slots.seen(slot),
                RemovalCause.CAPACITY);
    }

    /** Takes out a file that is there no more; what was seen of it, where it was here. */
    Optional<Seen> remove(VolumeFile file) {
        lock.lock();
        try {
            int slot = index.find(file);
            if (slot == NONE) {
                return Optional.empty();
            }
            Seen seen = slots.seen(slot);
            drop(slot);
            return Optional.of(seen);
        } finally {
            lock.unlock();
        }
    }

    /** Moves every file to the bucket of its age at {@code nowSeconds}. */
    void rebase(long nowSeconds) {
        lock.lock();
        try {
            int[] old = heads.clone();
            Arrays.fill(heads, NONE);
            baseSeconds = nowSeconds;
            coldest = 0;
            hottest = AgeScale.FINE_BUCKETS - 1;
            hottestLong = AgeScale.FINE_BUCKETS - 1;
            for (int head : old) {
                int slot = head;
                while (slot != NONE) {
                    int next = slots.next(slot);
                    link(slot);
                    slot = next;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void drop(int slot) {
        index.leave(slot);
        unlink(slot);
        slots.release(slot);
        size--;
    }

    @GuardedBy("lock")
    private void link(int slot) {
        int bucket = AgeScale.fineBucket(baseSeconds - slots.recency(slot));
        int next = heads[bucket];
        slots.setNext(slot, next);
        slots.setPrevious(slot, NONE);
        if (next != NONE) {
            slots.setPrevious(next, slot);
        }
        heads[bucket] = slot;
        coldest = Math.max(coldest, bucket);
        hottest = Math.min(hottest, bucket);
        hottestLong = slots.isLong(slot) ? Math.min(hottestLong, bucket) : hottestLong;
    }

    @GuardedBy("lock")
    private void unlink(int slot) {
        int next = slots.next(slot);
        int previous = slots.previous(slot);
        if (next != NONE) {
            slots.setPrevious(next, previous);
        }
        if (previous != NONE) {
            slots.setNext(previous, next);
        } else {
            heads[AgeScale.fineBucket(baseSeconds - slots.recency(slot))] = next;
        }
    }
}
