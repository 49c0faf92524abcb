package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.StatvfsBuffer;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/**
 * The twin of the directory calls that has a volume of any size without a file: names, sizes and times are computed from
 * the number of a file, and what was unlinked is one bit. Buckets have one leaf each; files were used 2 hours to 30 days
 * ago.
 */
final class SyntheticVolume implements DirectoryCalls {
    static final int FILE_BYTES = 16_384;

    private static final String BASE = "m_0123456789ab";
    private static final String LEAF = "00_g0";
    private static final int HASH_DIGITS = 64;
    private static final int NUMBER_DIGITS = 16;
    private static final long YOUNGEST_SECONDS = 7_200;
    private static final long SPAN_SECONDS = 30 * 86_400 - YOUNGEST_SECONDS;
    private static final int RECORD_NAME = 19;
    private static final byte DIRECTORY = 4;
    private static final byte REGULAR = 8;
    private static final double FILL = 0.88;
    private static final int RECORD_BYTES_MAX = RECORD_NAME + 256;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ThreadLocal<byte[]> LISTING = ThreadLocal.withInitial(() -> new byte[64 << 10]);

    private final int ranks;
    private final int buckets;
    private final int filesPerLeaf;
    private final long nowSeconds;
    private final AtomicLongArray removed;
    private final AtomicInteger removedFiles = new AtomicInteger();
    private final Map<Integer, Open> open = new ConcurrentHashMap<>();
    private final AtomicInteger nextDescriptor = new AtomicInteger(1_000);

    private enum Level {
        MOUNT,
        CACHE,
        BASE,
        RANK,
        BUCKET,
        LEAF
    }

    /** An open directory, and how far its listing has come. */
    private static final class Open {
        private final Level level;
        private final int rank;
        private final int bucket;
        private int position;

        private Open(Level level, int rank, int bucket) {
            this.level = level;
            this.rank = rank;
            this.bucket = bucket;
        }
    }

    SyntheticVolume(int ranks, int buckets, long files, long nowSeconds) {
        this.ranks = ranks;
        this.buckets = buckets;
        this.filesPerLeaf = Math.toIntExact(Math.max(1, files / ((long) ranks * buckets)));
        this.nowSeconds = nowSeconds;
        this.removed = new AtomicLongArray(Math.toIntExact(files() / Long.SIZE + 1));
    }

    /** Number of files that there were. */
    long files() {
        return (long) ranks * buckets * filesPerLeaf;
    }

    int removedFiles() {
        return removedFiles.get();
    }

    private int opened(Open directory) {
        int descriptor = nextDescriptor.incrementAndGet();
        open.put(descriptor, directory);
        return descriptor;
    }

    @Override
    public int openRoot(MemorySegment path) {
        return opened(new Open(Level.MOUNT, 0, 0));
    }

    @Override
    public int openBelow(int directory, MemorySegment path, long offset) {
        Open at = open.get(directory);
        if (at != null && at.level == Level.BUCKET) {
            return opened(new Open(Level.LEAF, at.rank, at.bucket));
        }
        for (String name : path.getString(offset).split("/", -1)) {
            at = at == null ? null : child(at, name);
        }
        return at == null ? -Errno.ENOENT : opened(at);
    }

    @SuppressWarnings("NullAway") // no child of that name
    private Open child(Open at, String name) {
        return switch (at.level) {
            case MOUNT -> name.equals("cache") ? new Open(Level.CACHE, 0, 0) : null;
            case CACHE ->
                name.equals(BASE)
                        ? new Open(Level.BASE, 0, 0)
                        : new Open(Level.RANK, Integer.parseInt(name.substring(BASE.length() + 2)), 0);
            case RANK -> new Open(Level.BUCKET, at.rank, Integer.parseInt(name, 16));
            case BUCKET -> new Open(Level.LEAF, at.rank, at.bucket);
            case BASE, LEAF -> null;
        };
    }

    @Override
    public int close(int descriptor) {
        return open.remove(descriptor) == null ? -9 : 0;
    }

    @Override
    public int readEntries(int directory, MemorySegment buffer) {
        Open at = open.get(directory);
        if (at == null) {
            return -9;
        }
        byte[] listing = LISTING.get();
        int room = (int) Math.min(listing.length, buffer.byteSize());
        int filled = 0;
        while (at.position < entries(at)) {
            boolean leaf = at.level == Level.LEAF;
            if (!leaf || !isRemoved(number(at, at.position))) {
                if (filled + RECORD_BYTES_MAX > room) {
                    break;
                }
                filled = entry(listing, filled, at);
            }
            at.position++;
        }
        MemorySegment.copy(listing, 0, buffer, ValueLayout.JAVA_BYTE, 0, filled);
        return filled;
    }

    /** Writes the record of the directory's current entry; where the next one starts. */
    private int entry(byte[] listing, int start, Open at) {
        int nameStart = start + RECORD_NAME;
        int end = at.level == Level.LEAF
                ? blockName(number(at, at.position), listing, nameStart)
                : directoryName(at, listing, nameStart);
        int next = (end + 1 + 7) & ~7;
        Arrays.fill(listing, end, next, (byte) 0);
        SHORT.set(listing, start + 16, (short) (next - start));
        listing[start + 18] = at.level == Level.LEAF ? REGULAR : DIRECTORY;
        return next;
    }

    private static int directoryName(Open at, byte[] listing, int start) {
        byte[] name = name(at, at.position).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(name, 0, listing, start, name.length);
        return start + name.length;
    }

    private int entries(Open at) {
        return switch (at.level) {
            case MOUNT, BUCKET -> 1;
            case CACHE -> ranks + 1;
            case BASE -> 0;
            case RANK -> buckets;
            case LEAF -> filesPerLeaf;
        };
    }

    private static String name(Open at, int position) {
        return switch (at.level) {
            case MOUNT -> "cache";
            case CACHE -> position == 0 ? BASE : BASE + "_r" + (position - 1);
            case RANK -> String.format(Locale.ROOT, "%03x", position);
            case BUCKET -> LEAF;
            case BASE, LEAF -> "";
        };
    }

    /** Random digits, and at the end the number of the file; where the name ends. */
    private static int blockName(long number, byte[] target, int start) {
        for (int word = 0; word < 4; word++) {
            long bits = word == 3 ? number : mix(number * 4 + word);
            for (int i = 0; i < NUMBER_DIGITS; i++) {
                target[start + word * NUMBER_DIGITS + i] = DIGITS[(int) (bits >>> (60 - 4 * i)) & 0xf];
            }
        }
        System.arraycopy(FsLayout.BLOCK_SUFFIX, 0, target, start + HASH_DIGITS, FsLayout.BLOCK_SUFFIX.length);
        return start + HASH_DIGITS + FsLayout.BLOCK_SUFFIX.length;
    }

    private long number(Open at, int position) {
        return ((long) at.rank * buckets + at.bucket) * filesPerLeaf + position;
    }

    private static long mix(long value) {
        long mixed = (value + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        return mixed ^ mixed >>> 29;
    }

    private static long age(long number) {
        return YOUNGEST_SECONDS + Long.remainderUnsigned(mix(number), SPAN_SECONDS);
    }

    private boolean isRemoved(long number) {
        return (removed.get((int) (number / Long.SIZE)) >>> (number % Long.SIZE) & 1) != 0;
    }

    /** The number at the end of a block's name, or -1 when it is no block. */
    private static long numberOf(MemorySegment name, long offset) {
        if (name.get(ValueLayout.JAVA_BYTE, offset) == '.'
                || name.byteSize() - offset < HASH_DIGITS + 4
                || name.get(ValueLayout.JAVA_BYTE, offset + HASH_DIGITS) != '.') {
            return -1;
        }
        int high = HexWords.pack(name.get(WORD, offset + HASH_DIGITS - NUMBER_DIGITS));
        int low = HexWords.pack(name.get(WORD, offset + HASH_DIGITS - NUMBER_DIGITS / 2));
        return (long) Integer.reverseBytes(high) << Integer.SIZE | Integer.toUnsignedLong(Integer.reverseBytes(low));
    }

    @Override
    public int stat(int directory, MemorySegment name, long offset, MemorySegment facts) {
        Open at = open.get(directory);
        if (at == null) {
            return -9;
        }
        if (at.level != Level.LEAF || name.get(ValueLayout.JAVA_BYTE, offset) == '.') {
            StatxBuffer.fill(facts, at.level != Level.BASE, 0, 0, nowSeconds, nowSeconds);
            return 0;
        }
        long number = numberOf(name, offset);
        if (number < 0 || isRemoved(number)) {
            return -Errno.ENOENT;
        }
        long used = nowSeconds - age(number);
        StatxBuffer.fill(facts, false, FILE_BYTES, FILE_BYTES, used, used);
        return 0;
    }

    @Override
    public int statNow(int directory, MemorySegment name, long offset, MemorySegment facts) {
        return stat(directory, name, offset, facts);
    }

    @Override
    public int unlink(int directory, MemorySegment name, long offset) {
        long number = numberOf(name, offset);
        if (number < 0 || isRemoved(number)) {
            return -Errno.ENOENT;
        }
        removed.accumulateAndGet((int) (number / Long.SIZE), 1L << (number % Long.SIZE), (bits, bit) -> bits | bit);
        removedFiles.incrementAndGet();
        return 0;
    }

    @Override
    public int removeDirectory(int directory, MemorySegment name, long offset) {
        return -Errno.ENOTEMPTY;
    }

    @Override
    public int space(int directory, MemorySegment facts) {
        long total = (long) (files() / FILL * FILE_BYTES);
        long free = total - (files() - removedFiles.get()) * FILE_BYTES;
        StatvfsBuffer.fill(facts, total, free, free, 0, 0);
        return 0;
    }

    /** Share of the removed files that are among as many coldest ones, ties counted in. */
    double coldestShare() {
        int[] byAge = new int[Math.toIntExact(YOUNGEST_SECONDS + SPAN_SECONDS)];
        LongStream.range(0, files()).forEach(number -> byAge[(int) age(number)]++);
        long older = 0;
        int cutoff = byAge.length;
        while (cutoff > 0 && older < removedFiles.get()) {
            older += byAge[--cutoff];
        }
        int oldest = cutoff;
        Arrays.fill(byAge, 0);
        long among = LongStream.range(0, files())
                .filter(number -> isRemoved(number) && age(number) >= oldest)
                .count();
        return removedFiles.get() == 0 ? 1 : (double) among / removedFiles.get();
    }
}
