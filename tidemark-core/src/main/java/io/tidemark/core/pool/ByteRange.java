package io.tidemark.core.pool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A part of a value: {@code length} bytes from {@code offset} on.
 *
 * @param offset first byte, 0 or more
 * @param length bytes, 1 or more
 */
public record ByteRange(long offset, long length) {
    public ByteRange {
        if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("range of " + length + " bytes at " + offset
                    + "; expected an offset of 0 or more and a length of 1 or more");
        }
    }

    /** The first byte behind it. */
    public long end() {
        return offset + length;
    }

    /** Whether a value of this many bytes holds all of it. */
    public boolean within(long valueBytes) {
        return end() <= valueBytes;
    }

    /** Whether the ranges, in any order, cover a value of this many bytes exactly: no gap, no overlap, nothing beyond. */
    public static boolean tile(List<ByteRange> ranges, long valueBytes) {
        long at = 0;
        for (ByteRange range : sorted(ranges)) {
            if (range.offset != at) {
                return false;
            }
            at = range.end();
        }
        return at == valueBytes;
    }

    /**
     * The units of {@code unitBytes} that the ranges touch, as few spans as possible, in order; the last one ends with the
     * value.
     */
    static List<ByteRange> spans(List<ByteRange> ranges, long unitBytes, long valueBytes) {
        List<ByteRange> spans = new ArrayList<>();
        for (ByteRange range : sorted(ranges)) {
            long from = range.offset / unitBytes * unitBytes;
            long to = Math.min(Math.ceilDiv(range.end(), unitBytes) * unitBytes, valueBytes);
            if (!spans.isEmpty() && spans.getLast().end() >= from) {
                ByteRange last = spans.removeLast();
                from = last.offset;
                to = Math.max(to, last.end());
            }
            spans.add(new ByteRange(from, to - from));
        }
        return List.copyOf(spans);
    }

    /** Number of the span that holds all of this range; the spans are in order and apart. */
    int spanIn(List<ByteRange> spans) {
        int low = 0;
        int high = spans.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (spans.get(middle).offset <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (high < 0 || spans.get(low).offset > offset || spans.get(low).end() < end()) {
            throw new IllegalArgumentException(this + " was not asked for, but " + spans);
        }
        return low;
    }

    static long totalBytes(List<ByteRange> ranges) {
        return ranges.stream().mapToLong(ByteRange::length).sum();
    }

    /** This part of the bytes that the segments hold, in order. */
    List<MemorySegment> slice(List<MemorySegment> segments) {
        List<MemorySegment> out = new ArrayList<>(1);
        long at = 0;
        for (MemorySegment segment : segments) {
            long first = Math.max(offset - at, 0);
            long last = Math.min(end() - at, segment.byteSize());
            if (first < last) {
                out.add(segment.asSlice(first, last - first));
            }
            at += segment.byteSize();
        }
        return out;
    }

    private static List<ByteRange> sorted(List<ByteRange> ranges) {
        if (ranges.size() < 2) {
            return ranges;
        }
        return ranges.stream()
                .sorted(Comparator.comparingLong(ByteRange::offset))
                .toList();
    }
}
