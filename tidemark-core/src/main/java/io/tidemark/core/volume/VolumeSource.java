package io.tidemark.core.volume;

import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import io.tidemark.core.medium.VictimSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
 * chunk until it is settled, also when the grant ends in between: what is left of a chunk goes first next time. One that the volume
 * refuses for the moment stays in it as well, with those beside it behind all others: it may be the directory that fails. Once nothing
 * has worked for a while, a few are tried between two pauses, and when these have failed once more, files beyond the need: so none of
 * those goes while one that is needed can. One thread at a time.
 */
final class VolumeSource implements VictimSource<VolumeFile> {
    /** Chunks that one is chosen from, as far as fifteen sixteenths of what is still needed reach. */
    private static final int CHOICE = 8;

    /** Chunks that are left of what is still needed at least. */
    private static final int PARTS = 4;

    /** Files beyond the need that are held to be tried at most. */
    private static final int BEYOND_MAX = 256;

    /** Files of the first chunk at most ... */
    private static final int FIRST_FILES = 256;

    /** ... and how much larger the next one may be, as a factor. */
    private static final int GROWTH = 4;

    private final ReadyBuffer ready;
    private final RankTable ranks;
    private final DeletionGrant grant;
    private final Cutoffs cutoffs;
    private final RefusedFiles refused;
    private final VolumeRefusals refusals;
    private final RateLimit rate;
    private final Outstanding outstanding;
    private final Supplier<Boolean> look;
    private final Supplier<Predicate<VolumeFile>> ours;
    private final int chunkFiles;
    private final HeldFiles chunk = new HeldFiles();

    /** Files beyond the need, tried as long as all that is tried of the chunk fails. */
    private final HeldFiles beyond = new HeldFiles();

    /** Files beyond the need that are still to be tried since some of the chunk have been. */
    private int beyondTries;

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
            VolumeRefusals refusals,
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
        this.refusals = refusals;
        this.rate = rate;
        this.outstanding = outstanding;
        this.look = look;
        this.ours = ours;
        this.chunkFiles = chunkFiles;
    }

    @Override
    public List<Offer<VolumeFile>> offers(OfferBudget budget, Predicate<VolumeFile> leftOut) {
        boolean pausing = refusals.pausing();
        if ((pausing && beyondTries == 0) || !look.get() || !grant.open()) {
            chunkMax = FIRST_FILES;
            return List.of();
        }
        int copies = rate.allow(budget.copies());
        if (pausing) {
            beyondTries--; // one at a time: the first that goes ends it
            return offers(beyond.tries(refusals).stream().limit(1).toList(), leftOut);
        }
        boolean fails = refusals.lastsLong();
        if (!fails) {
            giveBackBeyond();
        }
        long bytes = Math.min(budget.bytes(), cutoffs.neededBytes());
        if (chunk.size() < copies) {
            refill(copies);
        }
        return fails ? tries(leftOut) : offers(chunk.iterator(), bytes, copies, leftOut);
    }

    /** Some of the chunk; each time one more beyond it is taken, to be tried next. */
    private List<Offer<VolumeFile>> tries(Predicate<VolumeFile> leftOut) {
        Predicate<VolumeFile> isOurs = ours.get();
        chunk.list().stream().filter(isOurs.negate()).forEach(this::leave);
        List<VolumeFile> chosen = chunk.tries(refusals);
        if (!chosen.isEmpty()) {
            takeBeyond(chosen);
        }
        beyondTries = chosen.isEmpty() ? 0 : beyond.tries(refusals).size();
        return offers(chosen, leftOut);
    }

    /** Something works again: nothing beyond the need goes before what others hold of it. */
    private void giveBackBeyond() {
        for (VolumeFile file : beyond.list()) {
            leave(file);
            ready.giveBack(file);
        }
    }

    private List<Offer<VolumeFile>> offers(List<VolumeFile> chosen, Predicate<VolumeFile> leftOut) {
        return offers(chosen.iterator(), Long.MAX_VALUE, rate.allow(VolumeRefusals.TRIES), leftOut);
    }

    private List<Offer<VolumeFile>> offers(
            Iterator<VolumeFile> files, long bytes, int most, Predicate<VolumeFile> leftOut) {
        List<Offer<VolumeFile>> offers = new ArrayList<>();
        List<VolumeFile> lost = new ArrayList<>();
        long sum = 0;
        Predicate<VolumeFile> isOurs = ours.get();
        while (files.hasNext() && offers.size() < most && sum < bytes) {
            VolumeFile file = files.next();
            if (!isOurs.test(file)) {
                lost.add(file);
            } else if (!leftOut.test(file)) {
                offers.add(new Offer<>(file, file.bytes()));
                sum += file.bytes();
            }
        }
        lost.forEach(this::leave);
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

    /** Takes more until one lies in another directory than those that fail: such a one tells more. */
    private void takeBeyond(List<VolumeFile> failing) {
        boolean apart = false;
        boolean more = true;
        while (more && !apart && beyond.size() < BEYOND_MAX) {
            List<VolumeFile> taken = outstanding.takeOne(this::pollOne);
            more = !taken.isEmpty();
            for (VolumeFile file : taken) {
                if (refused.contains(file) || chunk.contains(file)) {
                    outstanding.settled(file); // a walk found again what is held, and fails
                } else {
                    drop(file);
                    apart = failing.stream().noneMatch(file::isBeside)
                            && beyond.list().stream().noneMatch(file::isBeside);
                    beyond.add(file);
                }
            }
        }
    }

    private List<VolumeFile> pollOne() {
        OptionalLong youngest = cutoffs.youngestNeededSeconds();
        return youngest.isPresent() ? ready.poll(ranks, youngest.getAsLong(), Long.MAX_VALUE, 1, 1) : List.of();
    }

    /** Keeps a file for later; one that is kept already was found again by a walk: what that has seen counts, once. */
    private void keep(VolumeFile file) {
        drop(file);
        chunk.add(file);
    }

    /** Holds a file no more, though nothing has come of it. */
    private void leave(VolumeFile file) {
        refusals.dropped(file);
        drop(file);
    }

    /** Forgets a file that has been dealt with. */
    void settled(VolumeFile file) {
        drop(file);
    }

    /** Has a file that failed for what the volume refuses tried again after all others. */
    void failed(VolumeFile file) {
        (beyond.contains(file) ? beyond : chunk).failed(file);
    }

    private void drop(VolumeFile file) {
        chunk.remove(file).ifPresent(outstanding::settled);
        beyond.remove(file).ifPresent(outstanding::settled);
    }
}
