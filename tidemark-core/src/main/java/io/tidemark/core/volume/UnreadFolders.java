package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.pool.Clocks;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Folders of the cache that walks could not read, and what may lie in them.
 *
 * <p>Nothing is known of a folder that no walk has read: its files may all be colder than those that have been counted, which would
 * go in their place. So what is in use and has not been counted is taken for colder than all that has, which leaves so much
 * less that may go: until a walk has read the folder, or it fails again {@link #MINUTES} minutes or more after the first time,
 * because what cannot be read for that long cannot be removed either (ADR 30). Time alone ends nothing: in a walk that lasts
 * longer nobody has tried again. Later a folder that cannot be read counts as it was before, as long as it fails for no longer than that
 * (a whole rank directory: for as long as it does).
 *
 * <p>Guarded by itself, a leaf; nobody is warned under it.
 */
final class UnreadFolders {
    /** How long what is in them is reckoned with at least, and how often they are told. */
    static final int MINUTES = 10;

    /** Folders of a walk that are known by name; the rest are a number, and lie anywhere. */
    private static final int NAMED_MAX = 256;

    /** The root of the cache: what is noted of it is noted of all below. */
    private static final String ROOT = "";

    private static final Set<String> ALL = Set.of(ROOT);

    private final Consumer<String> warn;
    private final Clocks clocks;

    /** Of the walk going on, and of the one before. */
    @GuardedBy("this")
    private Met met = new Met();

    @GuardedBy("this")
    private Met metBefore = new Met();

    /** Folders that no walk has read, with all below them. */
    @GuardedBy("this")
    private Set<String> never = ALL;

    /** Whether one of those failed to be read, and not for too long yet. */
    @GuardedBy("this")
    private boolean unknown;

    @GuardedBy("this")
    private Optional<Told> told = Optional.empty();

    /** What the last walk went over. */
    @GuardedBy("this")
    private Ground ground = new Ground(Set.of(), 0, 0);

    @GuardedBy("this")
    private Uncounted uncounted = Uncounted.UNMEASURED;

    /** What is in use and has not been counted. */
    record Uncounted(double bytes, double files) {
        static final Uncounted NOTHING = new Uncounted(0, 0);

        /** As much as there can be, until the volume is measured. */
        static final Uncounted UNMEASURED = new Uncounted(Double.MAX_VALUE, Double.MAX_VALUE);
    }

    /** What a walk goes over: shards, and the root of the cache as its file system knows it. */
    record Ground(Set<Integer> digits, long device, long inode) {
        /** Whether all of this lies in that. */
        private boolean isIn(Ground other) {
            return device == other.device && inode == other.inode && other.digits.containsAll(digits);
        }
    }

    /**
     * How a folder failed.
     *
     * @param sinceNanos when it did first
     * @param tooLong whether it did again so much later that nothing is hoped for
     */
    private record Failure(String error, long sinceNanos, boolean tooLong) {}

    private record Told(String consequence, long nanos) {}

    /** The folders that one walk could not read, and how many there are that have no name here. */
    private static final class Met {
        private final Map<String, Failure> folders = new LinkedHashMap<>();
        private int more;

        private int count() {
            return folders.size() + Math.max(0, more - 1); // the root stands for one of them
        }
    }

    /**
     * None yet.
     *
     * @param warn told of them at the end of a walk, every {@link #MINUTES} minutes
     */
    UnreadFolders(Consumer<String> warn, Clocks clocks) {
        this.warn = warn;
        this.clocks = clocks;
    }

    /** A walk begins. Of shards that the one before did not go over, and of another file system, nothing has been read. */
    synchronized void walkBegins(Ground now) {
        if (!now.isIn(ground)) {
            forget();
        }
        ground = now;
    }

    @GuardedBy("this")
    private void forget() {
        never = ALL;
        look();
    }

    /**
     * Takes note of a folder, given below the root of the cache, that could not be read, or in part only.
     *
     * @return whether what was known of it should count on: a walk has read it before, and it has not failed for too long yet
     */
    boolean add(String folder, int errno) {
        return add(folder, (folder.isEmpty() ? "." : folder) + " (" + Errno.name(errno) + ")");
    }

    /** Takes note of folders, wherever, that a search did not come to. */
    void add(String what) {
        add(ROOT, what);
    }

    private synchronized boolean add(String folder, String error) {
        String key = folder;
        if (met.folders.size() >= NAMED_MAX && !met.folders.containsKey(folder)) {
            key = ROOT;
            met.more++;
        }
        Optional<Failure> before = Optional.ofNullable(met.folders.getOrDefault(key, metBefore.folders.get(key)));
        long since = before.map(Failure::sinceNanos).orElseGet(clocks::monotonicNanos);
        boolean tooLong = before.isPresent() && (before.get().tooLong || isLong(since));
        Failure now = new Failure(key.equals(folder) ? error : "others", since, tooLong);
        if (!now.equals(met.folders.put(key, now))) {
            look();
        }
        return !tooLong && !lies(key, never);
    }

    /** A walk has ended that could not open the cache, or nobody vouches for it: what was met is unread still. */
    synchronized void walkFailed() {
        if (!met.folders.isEmpty()) {
            metBefore = met;
            met = new Met();
            look();
        }
    }

    /**
     * A walk has ended.
     *
     * @param whole whether it has gone over everything but the folders noted here
     * @param foundAny a walk that found no file says nothing of those that turn up later (a mount that came late)
     */
    void walkEnded(boolean whole, boolean foundAny) {
        Optional<String> news;
        synchronized (this) {
            if (!foundAny) {
                never = ALL;
            } else if (whole) {
                never = unreadBoth(never, met.folders.keySet());
            }
            metBefore = met;
            met = new Met();
            look();
            news = news();
        }
        news.ifPresent(warn);
    }

    /** What lies in one set of folders as well as in another. */
    private static Set<String> unreadBoth(Set<String> one, Set<String> other) {
        Set<String> both = new TreeSet<>();
        one.stream().filter(folder -> lies(folder, other)).forEach(both::add);
        other.stream().filter(folder -> lies(folder, one)).forEach(both::add);
        return both;
    }

    /** Whether a folder is one of these, or lies below one. */
    private static boolean lies(String folder, Set<String> folders) {
        int end = folder.length();
        while (end > 0 && !folders.contains(folder.substring(0, end))) {
            end = Math.max(0, folder.lastIndexOf('/', end - 1));
        }
        return end > 0 || folders.contains(ROOT);
    }

    /** Finds out anew whether something is unknown: what failed in the walk before may have been read meanwhile, or not yet. */
    @GuardedBy("this")
    private void look() {
        Map<String, Failure> failures = new HashMap<>(metBefore.folders);
        failures.putAll(met.folders);
        failures.values().removeIf(Failure::tooLong);
        boolean before = unknown;
        unknown = !unreadBoth(never, failures.keySet()).isEmpty();
        if (unknown && !before) {
            uncounted = Uncounted.UNMEASURED;
        }
    }

    @GuardedBy("this")
    private Optional<String> news() {
        if (metBefore.folders.isEmpty()) {
            return Optional.empty();
        }
        String consequence = consequence();
        boolean old = told.filter(before -> before.consequence.equals(consequence) && !isLong(before.nanos))
                .isPresent();
        if (old) {
            return Optional.empty();
        }
        told = Optional.of(new Told(consequence, clocks.monotonicNanos()));
        return Optional.of("cannot read " + text() + ": " + consequence);
    }

    @GuardedBy("this")
    private String consequence() {
        if (unknown) {
            return "nothing is known of what lies there, so that less of the rest may go until it can be read";
        }
        if (!unreadBoth(never, metBefore.folders.keySet()).isEmpty()) {
            return "nothing is known of what lies there, and after " + MINUTES
                    + " minutes it is reckoned with no longer: the rest goes in its place";
        }
        return metBefore.folders.values().stream().allMatch(Failure::tooLong)
                ? "what was known of it counts on where it is a whole rank directory; what lies in one is reckoned with no"
                        + " longer after " + MINUTES + " minutes: the rest goes in its place"
                : "what was known of it counts on";
    }

    /** Compares what is in use with what has been counted of it, both at this moment. */
    synchronized void account(Usage usage, double share, Estimate counted) {
        uncounted = new Uncounted(
                Math.max(0, usage.usedBytes() * share - counted.totalBytes()),
                Math.max(0, usage.usedInodes() * share - counted.files()));
    }

    /** What may lie in folders of which nothing is known, colder than all that is counted. */
    synchronized Uncounted uncounted() {
        return unknown ? uncounted : Uncounted.NOTHING;
    }

    /** Whether there are such folders, and they have not failed for too long yet. */
    synchronized boolean areUnknown() {
        return unknown;
    }

    @GuardedBy("this")
    private boolean isLong(long nanos) {
        return clocks.monotonicNanos() - nanos >= TimeUnit.MINUTES.toNanos(MINUTES);
    }

    /** Number of folders that the last walk could not read. */
    synchronized int count() {
        return metBefore.count();
    }

    /** The first with its error, for people, and how many more there are. */
    synchronized String text() {
        Met last = metBefore.folders.isEmpty() ? met : metBefore;
        String first =
                last.folders.values().stream().map(Failure::error).findFirst().orElse("");
        return last.count() > 1 ? first + " and " + (last.count() - 1) + " more" : first;
    }
}
