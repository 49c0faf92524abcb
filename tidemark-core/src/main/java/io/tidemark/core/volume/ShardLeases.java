package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Shares the 16 shards of a volume among sweepers through files on it: {@code lease-<digit>} names the holder of a
 * shard, {@code member-<id>} shows that a sweeper is there. Both are {@link LeaseFile}s, whose count rises with every
 * step; one that has not changed for {@code lastsNanos} of the observer's own time belongs to nobody any more
 * (clocks of different nodes are never compared). A shard is claimed by making its file, which one of two gets; one left
 * behind is written over, and is ours only when the next step still finds our name in it. Each holds its fair part and
 * gives up what is above it.
 *
 * <p>A shard is {@link #held} for half of that time after it was renewed: a sweeper that cannot reach the volume
 * stops before another takes over. Where something fails, on a full volume or one that cannot be written, what can be
 * renewed is; and as long as no other sweeper is seen the whole is ours, because nobody else would sweep it. (Should there
 * be one after all, both measure before each batch and stop at the target.) Steps come from one thread; the lock guards
 * what other threads read.
 */
final class ShardLeases {
    private static final String LEASE = "lease-";
    private static final String MEMBER = "member-";

    private final Path folder;
    private final String id;
    private final Clocks clocks;
    private final long lastsNanos;
    private final Predicate<String> dead;
    private final JointDeletion deletion;
    private final Map<String, Seen> seen = new HashMap<>();
    private final Set<Integer> unsure = new HashSet<>();
    private Optional<IOException> failure = Optional.empty();
    private long count;

    /** When each shard of ours was renewed. */
    @GuardedBy("this")
    private final Map<Integer, Long> renewedNanos = new TreeMap<>();

    /** Whether the last step failed and no other sweeper was seen. */
    @GuardedBy("this")
    private boolean alone;

    @GuardedBy("this")
    private long steppedNanos;

    @GuardedBy("this")
    private long succeededNanos;

    private record Seen(String content, long sinceNanos) {}

    private interface Attempt {
        void run() throws IOException;
    }

    /**
     * Leases.
     *
     * @param id of this sweeper, without blanks, unlike any other's
     * @param dead whether the sweeper of an id is known for certain to have ended
     * @param deletion shown to the others with each step, and told of theirs
     */
    ShardLeases(
            Path folder, String id, Clocks clocks, long lastsNanos, Predicate<String> dead, JointDeletion deletion) {
        this.folder = folder;
        this.id = id;
        this.clocks = clocks;
        this.lastsNanos = lastsNanos;
        this.dead = dead;
        this.deletion = deletion;
        this.steppedNanos = clocks.monotonicNanos() - lastsNanos;
        this.succeededNanos = steppedNanos;
    }

    /** The shards that are ours now. */
    synchronized Set<Integer> held() {
        if (alone && isFresh(steppedNanos)) {
            return BucketList.ALL_DIGITS;
        }
        Set<Integer> fresh = new HashSet<>();
        renewedNanos.forEach((digit, since) -> {
            if (isFresh(since)) {
                fresh.add(digit);
            }
        });
        return Set.copyOf(fresh);
    }

    /** Whether a step has succeeded lately: who holds nothing then only stands by. */
    synchronized boolean work() {
        return isFresh(succeededNanos);
    }

    @GuardedBy("this")
    private boolean isFresh(long sinceNanos) {
        return clocks.monotonicNanos() - sinceNanos < lastsNanos / 2;
    }

    /**
     * Shows that we are there, renews what is ours, claims and gives up until the part is fair.
     *
     * @throws IOException the first of what failed, after everything else was done
     */
    void step() throws IOException {
        long start = clocks.monotonicNanos();
        failure = Optional.empty();
        count++;
        attempt(this::show);
        Map<String, String> files = new HashMap<>();
        attempt(() -> read(files));
        int members = 1 + others();
        int fair = Math.ceilDiv(BucketList.DIGITS, members);
        Set<Integer> ours = renew(files);
        giveUp(ours, fair);
        claim(files, ours, fair);
        Set<Integer> sure = new TreeSet<>(ours);
        sure.removeAll(unsure);
        synchronized (this) {
            sure.forEach(digit -> renewedNanos.put(digit, start));
            alone = failure.isPresent() && members == 1;
            steppedNanos = start;
            succeededNanos = failure.isPresent() ? succeededNanos : start;
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private void attempt(Attempt attempt) {
        try {
            attempt.run();
        } catch (IOException e) {
            failure = failure.or(() -> Optional.of(e));
        }
    }

    private String mine() {
        return LeaseFile.record(id, count);
    }

    private void show() throws IOException {
        Files.createDirectories(folder);
        Path member = folder.resolve(MEMBER + id);
        String record = LeaseFile.record(id, count, deletion.shown());
        if (!LeaseFile.replace(member, id, record)) {
            Files.deleteIfExists(member);
            LeaseFile.create(member, record);
        }
    }

    private void read(Map<String, String> files) throws IOException {
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(folder, "{lease,member}-*")) {
            for (Path file : listing) {
                read(file, files);
            }
        } catch (NoSuchFileException e) {
            // no folder: nobody has been here
            seen.clear();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        seen.keySet().retainAll(files.keySet());
    }

    private void read(Path file, Map<String, String> files) {
        String name = file.getFileName().toString();
        attempt(() -> {
            try {
                note(name, LeaseFile.read(file), files);
            } catch (NoSuchFileException e) {
                // given up by its holder between listing and reading
                seen.remove(name);
            } catch (IOException e) {
                // what cannot be read is nobody's
                note(name, "", files);
                throw e;
            }
        });
    }

    private void note(String name, String content, Map<String, String> files) {
        Seen before = seen.get(name);
        if (before == null || !before.content.equals(content)) {
            seen.put(name, new Seen(content, clocks.monotonicNanos()));
        }
        files.put(name, content);
    }

    private boolean alive(String name, String content) {
        String owner = LeaseFile.owner(content);
        Seen since = seen.get(name);
        return owner.equals(id)
                || (!dead.test(owner) && since != null && clocks.monotonicNanos() - since.sinceNanos < lastsNanos);
    }

    /** Number of other sweepers that are there, as last seen, whose rounds are told; removes what dead ones left. */
    private int others() {
        int alive = 0;
        List<DeletionRound> rounds = new ArrayList<>();
        for (Map.Entry<String, Seen> file : seen.entrySet()) {
            String name = file.getKey();
            if (name.startsWith(MEMBER) && !name.equals(MEMBER + id)) {
                if (alive(name, file.getValue().content)) {
                    alive++;
                    LeaseFile.round(file.getValue().content).ifPresent(rounds::add);
                } else {
                    attempt(() -> Files.deleteIfExists(folder.resolve(name)));
                }
            }
        }
        deletion.others(rounds);
        return alive;
    }

    private Set<Integer> renew(Map<String, String> files) {
        Set<Integer> ours = new TreeSet<>();
        for (int digit = 0; digit < BucketList.DIGITS; digit++) {
            int shard = digit;
            String content = files.get(name(digit));
            if (content == null) {
                continue;
            }
            if (!LeaseFile.owner(content).equals(id)) {
                drop(digit);
                continue;
            }
            attempt(() -> {
                if (LeaseFile.replace(folder.resolve(name(shard)), id, mine())) {
                    ours.add(shard);
                    unsure.remove(shard);
                } else {
                    drop(shard);
                }
            });
        }
        unsure.retainAll(ours);
        return ours;
    }

    private synchronized void drop(int digit) {
        renewedNanos.remove(digit);
    }

    private void giveUp(Set<Integer> ours, int fair) {
        TreeSet<Integer> sorted = new TreeSet<>(ours);
        while (sorted.size() > fair) {
            int digit = sorted.removeLast();
            drop(digit);
            ours.remove(digit);
            attempt(() -> Files.deleteIfExists(folder.resolve(name(digit))));
        }
    }

    private void claim(Map<String, String> files, Set<Integer> ours, int fair) {
        for (int digit = 0; digit < BucketList.DIGITS && ours.size() < fair; digit++) {
            int shard = digit;
            String name = name(digit);
            String content = files.get(name);
            if (ours.contains(digit) || (content != null && alive(name, content))) {
                continue;
            }
            attempt(() -> {
                if (content == null ? create(name) : takeOver(name, content, shard)) {
                    ours.add(shard);
                }
            });
        }
    }

    private boolean create(String name) throws IOException {
        return LeaseFile.create(folder.resolve(name), mine());
    }

    private boolean takeOver(String name, String content, int digit) throws IOException {
        boolean taken = LeaseFile.replace(folder.resolve(name), LeaseFile.owner(content), mine());
        if (taken) {
            unsure.add(digit);
        }
        return taken;
    }

    private static String name(int digit) {
        return LEASE + Character.forDigit(digit, 16);
    }

    /** Gives everything up, so that others need not wait. */
    void release() throws IOException {
        synchronized (this) {
            renewedNanos.clear();
            alone = false;
        }
        failure = Optional.empty();
        for (int digit = 0; digit < BucketList.DIGITS; digit++) {
            Path lease = folder.resolve(name(digit));
            attempt(() -> {
                if (Files.exists(lease)
                        && LeaseFile.owner(LeaseFile.read(lease)).equals(id)) {
                    Files.deleteIfExists(lease);
                }
            });
        }
        attempt(() -> Files.deleteIfExists(folder.resolve(MEMBER + id)));
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
