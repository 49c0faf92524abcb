package io.tidemark.index.replay;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes a {@link Trace} of single uses: which of them belong to one request, root first.
 *
 * <p>A use goes on with the request of the use of the same client before it when it is of the same batch, or when that one was
 * of its parent; else it begins a request. Parents are what a client said of them at any time: a read does not say it, the
 * put of the same block does. A put that follows a miss of its block is the same use. What was deleted, or has outlived its
 * time, is another block when it comes back.
 */
final class UseChains {
    private static final int NONE = -1;

    /** Keys, and lives of keys: a key that comes back after a deletion begins another life. */
    private final Map<BlockId, Integer> keys = new HashMap<>();

    private int[] parentOfKey = new int[1 << 10];
    private int[] lifeOfKey = new int[1 << 10];
    private long[] endOfKey = new long[1 << 10];
    private int[] openMisses = new int[1 << 10];
    private int lives;

    private int[] keyOf = new int[1 << 12];
    private int[] lifeOf = new int[1 << 12];
    private int[] nextOf = new int[1 << 12];
    private int[] before = new int[1 << 12];
    private long[] microsOf = new long[1 << 12];
    private final BitSet joined = new BitSet();
    private final BitSet tails = new BitSet();
    /** Sizes of lives, 0 where nobody said one. */
    private long[] bytesOfLife = new long[1 << 10];

    private int references;
    private final Map<Long, Integer> lastOfClient = new HashMap<>();

    private long lost;
    private long sized;
    private long sizedBytes;

    /** Takes the next use. */
    void add(Use use) {
        switch (use.kind()) {
            case LOST -> lost += use.bytes();
            case CLEAR -> Arrays.fill(lifeOfKey, NONE);
            case SEEN, UNSEEN -> {}
            case DELETE -> end(key(use.key()));
            case EXPIRE -> endAt(key(use.key()), use);
            case HIT, MISS, TOUCH, PUT -> refer(use);
        }
    }

    private void end(int key) {
        lifeOfKey[key] = NONE;
    }

    private void endAt(int key, Use use) {
        endOfKey[key] = endMicros(use);
    }

    private void refer(Use use) {
        int key = key(use.key());
        if (use.parent().isPresent()) {
            int parent = key(use.parent().get());
            parentOfKey[key] = parent;
        }
        if (use.micros() >= endOfKey[key]) {
            end(key);
        }
        if (use.kind() == UseKind.PUT) {
            endAt(key, use);
        }
        if (use.bytes() > 0) {
            sized++;
            sizedBytes += use.bytes();
        }
        if (use.kind() == UseKind.PUT && openMisses[key] > 0 && lifeOfKey[key] != NONE) {
            openMisses[key]--;
            sizeLife(key, use);
            markTail(use, lastOfClient.getOrDefault(use.client(), NONE), key);
            return;
        }
        openMisses[key] += use.kind() == UseKind.MISS ? 1 : 0;
        append(use, key);
    }

    /** The put of a block that was missed says what it is. */
    private void markTail(Use use, int last, int key) {
        if (use.tail() && last != NONE && keyOf[last] == key) {
            tails.set(last);
        }
    }

    private void append(Use use, int key) {
        if (references == keyOf.length) {
            int length = references + (references >> 1);
            keyOf = Arrays.copyOf(keyOf, length);
            lifeOf = Arrays.copyOf(lifeOf, length);
            nextOf = Arrays.copyOf(nextOf, length);
            before = Arrays.copyOf(before, length);
            microsOf = Arrays.copyOf(microsOf, length);
        }
        if (lifeOfKey[key] == NONE) {
            lifeOfKey[key] = lives++;
            openMisses[key] = use.kind() == UseKind.MISS ? 1 : 0;
        }
        sizeLife(key, use);
        int at = references++;
        keyOf[at] = key;
        lifeOf[at] = lifeOfKey[key];
        nextOf[at] = NONE;
        microsOf[at] = use.micros();
        joined.set(at, use.joined());
        tails.set(at, use.tail());
        before[at] = lastOfClient.getOrDefault(use.client(), NONE);
        lastOfClient.put(use.client(), at);
    }

    private void sizeLife(int key, Use use) {
        int life = lifeOfKey[key];
        if (life >= bytesOfLife.length) {
            bytesOfLife = Arrays.copyOf(bytesOfLife, life + (life >> 1));
        }
        bytesOfLife[life] = Math.max(bytesOfLife[life], use.bytes());
    }

    /** Number of a key. May lengthen the arrays: it stands in a statement of its own, before one of them is read. */
    private int key(BlockId id) {
        Integer known = keys.putIfAbsent(id, keys.size());
        if (known != null) {
            return known;
        }
        int key = keys.size() - 1;
        if (key == parentOfKey.length) {
            int length = key + (key >> 1);
            parentOfKey = Arrays.copyOf(parentOfKey, length);
            lifeOfKey = Arrays.copyOf(lifeOfKey, length);
            endOfKey = Arrays.copyOf(endOfKey, length);
            openMisses = Arrays.copyOf(openMisses, length);
        }
        parentOfKey[key] = NONE;
        lifeOfKey[key] = NONE;
        endOfKey[key] = Long.MAX_VALUE;
        openMisses[key] = 0;
        return key;
    }

    private static long endMicros(Use use) {
        boolean endless = use.ttlMillis() == Use.NO_TTL || use.ttlMillis() > (Long.MAX_VALUE - use.micros()) / 1_000;
        return endless ? Long.MAX_VALUE : use.micros() + use.ttlMillis() * 1_000;
    }

    /** The requests, in the order in which they began. */
    void build(TraceBuilder builder) {
        BitSet heads = new BitSet(references);
        for (int at = 0; at < references; at++) {
            int last = before[at];
            boolean goesOn = last != NONE && (joined.get(at) || parentOfKey[keyOf[at]] == keyOf[last]);
            if (goesOn) {
                nextOf[last] = at;
            } else {
                heads.set(at);
            }
        }
        int[] numbers = new int[lives];
        Arrays.fill(numbers, NONE);
        heads.stream().forEach(head -> request(builder, head, numbers));
        if (lost > 0) {
            builder.remark(lost + " uses are missing: the disk was too slow when they were recorded");
        }
        if (sized > 0) {
            builder.remark("blocks of " + sizedBytes / sized + " bytes on average");
        }
    }

    private void request(TraceBuilder builder, int head, int[] numbers) {
        int firstNewBlock = builder.blocks();
        int length = 0;
        boolean tail = false;
        for (int at = head; at != NONE; at = nextOf[at]) {
            int life = lifeOf[at];
            numbers[life] = numbers[life] == NONE ? builder.blocks() : numbers[life];
            builder.reference(numbers[life]);
            builder.size(numbers[life], bytesOfLife[life]);
            tail = tails.get(at);
            length++;
        }
        int tokens = (int) Math.min(Integer.MAX_VALUE, (long) length * Trace.TOKENS_PER_BLOCK) - (tail ? 1 : 0);
        builder.endRequest(microsOf[head] / 1_000, tokens, firstNewBlock);
    }
}
