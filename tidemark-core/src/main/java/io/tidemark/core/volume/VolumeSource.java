package io.tidemark.core.volume;

import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import io.tidemark.core.medium.VictimSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Offers the coldest files of a volume, within the grant. Looks at the volume before each batch, so that what others
 * free, and folders that go with their files, count at once and the target is undershot by one batch at most.
 *
 * <p>Files come from the ready buffer by the thousand and are offered in the order of their directories; such a chunk
 * comes from neighbouring directories among the coldest {@link #CHOICE} chunks. That spares opening a directory for one
 * file, and above all writing the same blocks of inodes again and again: what fills a journal fastest is what deleters wait
 * for. A chunk is {@code chunkFiles} at most and a quarter of what is still needed, but a batch at least, and is chosen among
 * the colder fifteen sixteenths of what is still needed: the nearer the target, the stricter the order, so that a cleanup that
 * ends before its time (others free, folders go with their files, the process is stopped) leaves fewer colder files behind
 * than it had still to remove. The first chunks are smaller, so that the first file goes at once. An offer stays in the
 * chunk until it is settled, also when the grant ends in between: what is left of a chunk goes first next time. One thread
 * at a time.
 */
final class VolumeSource implements VictimSource<VolumeFile> {
    /** Chunks that one is chosen from, as far as fifteen sixteenths of what is still needed reach. */
    private static final int CHOICE = 8;

    /** Chunks that are left of what is still needed at least. */
    private static final int PARTS = 4;

    /** Files of the first chunk at most ... */
    private static final int FIRST_FILES = 256;

    /** ... and how much larger the next one may be, as a factor. */
    private static final int GROWTH = 4;

    private final ReadyBuffer ready;
    private final RankTable ranks;
    private final DeletionGrant grant;
    private final Cutoffs cutoffs;
    private final RefusedFiles refused;
    private final RateLimit rate;
    private final Outstanding outstanding;
    private final Supplier<Boolean> look;
    private final Supplier<Predicate<VolumeFile>> ours;
    private final int chunkFiles;
    /** By itself: a file is the same whatever was seen of it. */
    private final Map<VolumeFile, VolumeFile> chunk = new LinkedHashMap<>();

    /** Files of the next chunk at most; starts small so that the first file goes soon. */
    private int chunkMax = FIRST_FILES;

    /**
     * A source.
     *
     * @param look measures the volume and lowers the grant to what is needed; false when it does not answer
     * @param ours asked before each batch: whether a file lies in one of the shards that are ours then; those of a shard
     *     that another sweeper has taken over go in its part of what is needed
     */
    VolumeSource(
            ReadyBuffer ready,
            RankTable ranks,
            DeletionGrant grant,
            Cutoffs cutoffs,
            RefusedFiles refused,
            RateLimit rate,
            Outstanding outstanding,
            Supplier<Boolean> look,
            Supplier<Predicate<VolumeFile>> ours,
            int chunkFiles) {
        this.ready = ready;
        this.ranks = ranks;
        this.grant = grant;
        this.cutoffs = cutoffs;
        this.refused = refused;
        this.rate = rate;
        this.outstanding = outstanding;
        this.look = look;
        this.ours = ours;
        this.chunkFiles = chunkFiles;
    }

    @Override
    public List<Offer<VolumeFile>> offers(OfferBudget budget, Predicate<VolumeFile> leftOut) {
        if (!look.get() || !grant.open()) {
            chunkMax = FIRST_FILES;
            return List.of();
        }
        long bytes = Math.min(budget.bytes(), cutoffs.neededBytes());
        int copies = rate.allow(budget.copies());
        if (chunk.size() < copies) {
            refill(copies);
        }
        List<Offer<VolumeFile>> offers = new ArrayList<>();
        long sum = 0;
        Predicate<VolumeFile> isOurs = ours.get();
        Iterator<VolumeFile> files = chunk.values().iterator();
        while (files.hasNext() && offers.size() < copies && sum < bytes) {
            VolumeFile file = files.next();
            if (!isOurs.test(file)) {
                files.remove();
                outstanding.settled(file);
            } else if (!leftOut.test(file)) {
                offers.add(new Offer<>(file, file.bytes()));
                sum += file.bytes();
            }
        }
        return offers;
    }

    private void refill(int copies) {
        List<VolumeFile> more = outstanding.take(cutoffs::neededBytes, bytes -> poll(bytes, copies));
        for (VolumeFile file : more) {
            if (refused.contains(file)) {
                outstanding.settled(file);
            } else {
                keep(file);
            }
        }
    }

    private List<VolumeFile> poll(long neededBytes, int copies) {
        OptionalLong youngest = cutoffs.youngestNeededSeconds();
        if (youngest.isEmpty()) {
            return List.of();
        }
        long part = neededBytes / Math.max(1, cutoffs.meanFileBytes()) / PARTS;
        int files = (int) Math.max(copies, Math.min(chunkMax, part)) - chunk.size();
        chunkMax = Math.min(chunkFiles, GROWTH * chunkMax);
        return ready.poll(ranks, youngest.getAsLong(), neededBytes, files, CHOICE * files);
    }

    /** Keeps a file for later; one that is kept already was found again by a walk: what that has seen counts, once. */
    private void keep(VolumeFile file) {
        drop(file);
        chunk.put(file, file);
    }

    /** Forgets a file that has been dealt with. */
    void settled(VolumeFile file) {
        drop(file);
    }

    private void drop(VolumeFile file) {
        VolumeFile kept = chunk.remove(file);
        if (kept != null) {
            outstanding.settled(kept);
        }
    }
}
