package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Shares the 16 shards of a volume among sweepers through files on it: {@code lease-<digit>} names the holder of a
 * shard, {@code member-<id>} shows that a sweeper is there. Both hold {@code <id> <count>}; the count rises with every
 * step, and a file that has not changed for {@code lastsNanos} of the observer's own time belongs to nobody any more
 * (clocks of different nodes are never compared). A shard is claimed by a hard link, which one of two gets; one left
 * behind is replaced, and is ours only when the next step still finds our name in it. Each holds its fair part and gives
 * up what is above it.
 *
 * <p>{@link #held} is empty when no step has succeeded for half of that time: a sweeper that cannot reach the volume
 * stops before another takes over. Steps come from one thread; the lock guards what other threads read.
 */
final class ShardLeases {
    private static final String LEASE = "lease-";
    private static final String MEMBER = "member-";

    private final Path folder;
    private final String id;
    private final Clocks clocks;
    private final long lastsNanos;
    private final Predicate<String> dead;
    private final Map<String, Seen> seen = new HashMap<>();
    private final Set<Integer> unsure = new HashSet<>();
    private long count;

    @GuardedBy("this")
    private Set<Integer> held = Set.of();

    @GuardedBy("this")
    private long steppedNanos;

    private record Seen(String content, long sinceNanos) {}

    /**
     * Leases.
     *
     * @param id of this sweeper, without blanks, unlike any other's
     * @param dead whether the sweeper of an id is known for certain to have ended
     */
    ShardLeases(Path folder, String id, Clocks clocks, long lastsNanos, Predicate<String> dead) {
        this.folder = folder;
        this.id = id;
        this.clocks = clocks;
        this.lastsNanos = lastsNanos;
        this.dead = dead;
        this.steppedNanos = clocks.monotonicNanos() - lastsNanos;
    }

    /** The shards that are ours now. */
    synchronized Set<Integer> held() {
        boolean fresh = clocks.monotonicNanos() - steppedNanos < lastsNanos / 2;
        return fresh ? held : Set.of();
    }

    /** Shows that we are there, renews what is ours, claims and gives up until the part is fair. */
    void step() throws IOException {
        long start = clocks.monotonicNanos();
        count++;
        Files.createDirectories(folder);
        write(folder.resolve(MEMBER + id));
        Map<String, String> files = read();
        int fair = Math.ceilDiv(BucketList.DIGITS, members(files));
        Set<Integer> ours = renew(files);
        giveUp(ours, fair);
        claim(files, ours, fair);
        Set<Integer> sure = new TreeSet<>(ours);
        sure.removeAll(unsure);
        synchronized (this) {
            held = Set.copyOf(sure);
            steppedNanos = start;
        }
    }

    private Map<String, String> read() throws IOException {
        Map<String, String> files = new HashMap<>();
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(folder, "{lease,member}-*")) {
            for (Path file : listing) {
                try {
                    files.put(file.getFileName().toString(), Files.readString(file));
                } catch (NoSuchFileException _) {
                    // given up by its holder between listing and reading
                    seen.remove(file.getFileName().toString());
                }
            }
        }
        long now = clocks.monotonicNanos();
        seen.keySet().retainAll(files.keySet());
        files.forEach((name, content) -> {
            Seen before = seen.get(name);
            if (before == null || !before.content.equals(content)) {
                seen.put(name, new Seen(content, now));
            }
        });
        return files;
    }

    private boolean alive(String name, String content) {
        String owner = owner(content);
        Seen since = seen.get(name);
        return owner.equals(id)
                || (!dead.test(owner) && since != null && clocks.monotonicNanos() - since.sinceNanos < lastsNanos);
    }

    private static String owner(String content) {
        int blank = content.indexOf(' ');
        return blank < 0 ? content : content.substring(0, blank);
    }

    /** Number of sweepers that are there; removes what dead ones left. */
    private int members(Map<String, String> files) throws IOException {
        int alive = 0;
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (file.getKey().startsWith(MEMBER)) {
                if (alive(file.getKey(), file.getValue())) {
                    alive++;
                } else {
                    Files.deleteIfExists(folder.resolve(file.getKey()));
                }
            }
        }
        return Math.max(1, alive);
    }

    private Set<Integer> renew(Map<String, String> files) throws IOException {
        Set<Integer> ours = new TreeSet<>();
        for (int digit = 0; digit < BucketList.DIGITS; digit++) {
            String name = name(digit);
            String content = files.get(name);
            if (content != null && owner(content).equals(id)) {
                write(folder.resolve(name));
                ours.add(digit);
                unsure.remove(digit);
            }
        }
        unsure.retainAll(ours);
        return ours;
    }

    private void giveUp(Set<Integer> ours, int fair) throws IOException {
        TreeSet<Integer> sorted = new TreeSet<>(ours);
        while (sorted.size() > fair) {
            int digit = sorted.removeLast();
            synchronized (this) {
                Set<Integer> rest = new HashSet<>(held);
                rest.remove(digit);
                held = Set.copyOf(rest);
            }
            Files.deleteIfExists(folder.resolve(name(digit)));
            ours.remove(digit);
        }
    }

    private void claim(Map<String, String> files, Set<Integer> ours, int fair) throws IOException {
        for (int digit = 0; digit < BucketList.DIGITS && ours.size() < fair; digit++) {
            String name = name(digit);
            String content = files.get(name);
            if (ours.contains(digit) || (content != null && alive(name, content))) {
                continue;
            }
            if (content == null ? link(name) : replace(name, digit)) {
                ours.add(digit);
            }
        }
    }

    private boolean link(String name) throws IOException {
        Path mine = temporary();
        try {
            Files.createLink(folder.resolve(name), mine);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(mine);
        }
    }

    private boolean replace(String name, int digit) throws IOException {
        Files.move(temporary(), folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        unsure.add(digit);
        return true;
    }

    private Path temporary() throws IOException {
        return Files.writeString(folder.resolve("new-" + id), id + " " + count);
    }

    private void write(Path file) throws IOException {
        Files.move(temporary(), file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String name(int digit) {
        return LEASE + Character.forDigit(digit, 16);
    }

    /** Gives everything up, so that others need not wait. */
    void release() throws IOException {
        synchronized (this) {
            held = Set.of();
        }
        for (int digit = 0; digit < BucketList.DIGITS; digit++) {
            Path lease = folder.resolve(name(digit));
            if (Files.exists(lease) && owner(Files.readString(lease)).equals(id)) {
                Files.deleteIfExists(lease);
            }
        }
        Files.deleteIfExists(folder.resolve(MEMBER + id));
    }
}
