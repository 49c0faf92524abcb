package io.tidemark.core.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Files that are to go whether the volume is full or not: expired, above a model's quota, orphaned. Bounded: what does
 * not fit is found again by the next walk.
 */
final class DueQueue {
    private final BlockingQueue<VolumeFile> files;

    DueQueue(int capacity) {
        files = new ArrayBlockingQueue<>(capacity);
    }

    boolean offer(VolumeFile file) {
        return files.offer(file);
    }

    /** Takes out what is there, at most {@code max}. */
    List<VolumeFile> drain(int max) {
        List<VolumeFile> taken = new ArrayList<>();
        files.drainTo(taken, max);
        return taken;
    }

    int size() {
        return files.size();
    }
}
