package io.tidemark.server;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.SsdIdentity;
import io.tidemark.core.medium.SsdOwner;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.medium.SysFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file, in the state directory, that says which SSD directories the server uses, by what they say of themselves. A
 * directory that is not in it missed a run: what was deleted or overwritten then is not recorded there, so what lies in it is
 * void. Written before the first client is served. Its monitor guards the file.
 *
 * <p>A state directory that has no such file yet takes every directory as it is, until the first call of {@link #use}.
 */
final class UsedDirectories implements SsdOwner {
    /** Name of the file: the id of the state directory, then two ids and the path of an SSD directory a line. */
    static final String FILE = "ssd-directories";

    private static final int BYTES_MAX = 1 << 20;
    private static final String FIRST_LINE = "tidemark-ssd-directories 1 ";

    private final Sys sys;
    private final Path stateDir;
    /** Made when it is asked for first where nothing is known: randomness takes a while to come by at a start. */
    private @Nullable UUID state;

    private boolean isNew;
    /** What the directories say of themselves, by their own id. */
    private final Map<UUID, SsdIdentity> used = new TreeMap<>();

    /** Where they were, for people: this locale may have no characters for what another one named. */
    private final Map<UUID, String> paths = new TreeMap<>();

    private UsedDirectories(Sys sys, Path stateDir, @Nullable UUID state, boolean isNew) {
        this.sys = sys;
        this.stateDir = stateDir;
        this.state = state;
        this.isNew = isNew;
    }

    /**
     * Reads the file, which is written through these calls.
     *
     * @throws IOException when it cannot be read, or is none of ours
     */
    static UsedDirectories read(Sys sys, Path stateDir) throws IOException {
        Path file = stateDir.resolve(FILE);
        try {
            ByteBuffer bytes = ByteBuffer.wrap(SysFiles.readAll(sys, file.toString(), BYTES_MAX));
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return parse(sys, stateDir, text.lines().toList());
        } catch (SysException e) {
            return switch (e.errno()) {
                case Errno.ENOENT -> new UsedDirectories(sys, stateDir, null, true);
                // told with whose the directory is, as of each file that Java does not get
                case Errno.EACCES, Errno.EPERM -> throw new AccessDeniedException(file.toString());
                default -> throw e;
            };
        } catch (IllegalArgumentException
                | IndexOutOfBoundsException
                | NoSuchElementException
                | CharacterCodingException e) {
            throw new IOException(
                    file + " cannot be read; expected \"" + FIRST_LINE
                            + "ID\" and a line of \"ID ID PATH\" for each SSD"
                            + " directory. Remove it; where an SSD directory was left out lately, start with --fresh then",
                    e);
        }
    }

    private static UsedDirectories parse(Sys sys, Path stateDir, List<String> lines) {
        String first = lines.getFirst();
        if (!first.startsWith(FIRST_LINE)) {
            throw new IllegalArgumentException(first);
        }
        UsedDirectories read =
                new UsedDirectories(sys, stateDir, UUID.fromString(first.substring(FIRST_LINE.length())), false);
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", 3);
            SsdIdentity identity = new SsdIdentity(UUID.fromString(words[0]), UUID.fromString(words[1]));
            read.used.put(identity.directory(), identity);
            read.paths.put(identity.directory(), words[2]);
        }
        return read;
    }

    @Override
    public synchronized UUID state() {
        UUID known = state == null ? UUID.randomUUID() : state;
        state = known;
        return known;
    }

    /** Whether nothing is known of earlier runs. */
    synchronized boolean isNew() {
        return isNew;
    }

    @Override
    public synchronized Claim judge(SsdIdentity found) {
        if (isNew) {
            return Claim.KEEP;
        }
        // One that was taken over when this file was new said something else then.
        SsdIdentity known = used.get(found.directory());
        boolean ours = found.state().equals(state());
        if (known != null && (ours || known.equals(found))) {
            return Claim.KEEP;
        }
        return ours ? Claim.EMPTY : Claim.FOREIGN;
    }

    /** Known of a directory that lies in its state directory, as one does that was given no place of its own. */
    @Override
    public Optional<Path> stateDirOf(Path directory, SsdIdentity found) {
        Optional<Path> above = Optional.ofNullable(directory.toAbsolutePath().getParent());
        return above.filter(candidate -> isOf(candidate, found.state()));
    }

    private boolean isOf(Path candidate, UUID id) {
        try {
            UsedDirectories theirs = read(sys, candidate);
            return !theirs.isNew() && theirs.state().equals(id);
        } catch (IOException _) {
            return false; // not for us to read: what it would say is help only
        }
    }

    /**
     * Why a state directory that knows nothing yet cannot take these over: of two that were not used together last, one may
     * hold what was deleted from the other.
     */
    synchronized Optional<String> conflict(Map<Path, SsdIdentity> directories) {
        Map<UUID, Path> origins = new LinkedHashMap<>();
        directories.forEach((path, identity) -> origins.putIfAbsent(identity.state(), path));
        origins.remove(state());
        return isNew && origins.size() > 1
                ? Optional.of("SSD directories " + origins.values() + " were last used by servers of different"
                        + " state directories, and this state directory does not know which is valid: give the state"
                        + " directory of that server, leave a directory out, or discard the blocks of all with --fresh")
                : Optional.empty();
    }

    /** Whether all directories that were in use are among these. */
    synchronized boolean areAllIn(Map<Path, SsdIdentity> directories) {
        return directories.values().stream()
                .map(SsdIdentity::directory)
                .collect(Collectors.toSet())
                .containsAll(used.keySet());
    }

    /**
     * What is to be said of each directory of the last run that is left out now.
     *
     * @param configured by their paths; one of these that fails is told in another place
     * @param found what configured directories say of themselves: one of these may have another path now
     */
    synchronized List<String> dropped(Collection<Path> configured, Collection<SsdIdentity> found) {
        Map<UUID, String> left = new TreeMap<>(paths);
        for (SsdIdentity identity : found) {
            left.remove(identity.directory());
        }
        for (Path path : configured) {
            left.values().removeIf(printable(path)::equals);
        }
        List<String> said = new ArrayList<>();
        for (String path : left.values()) {
            said.add(
                    "SSD directory " + path
                            + " of the last run is not configured any more: a start without it makes its"
                            + " blocks void, and it begins empty when it comes back; its files stay there and keep their space");
        }
        return said;
    }

    /** These directories are in use from here on, and no others; the file says so after {@link #write}. */
    synchronized void use(Map<Path, SsdIdentity> directories) {
        isNew = false;
        used.clear();
        paths.clear();
        directories.forEach((path, identity) -> put(identity, path));
    }

    /** This one is in use too, empty. */
    synchronized void add(SsdIdentity identity, Path path) throws IOException {
        put(identity, path);
        write();
    }

    private void put(SsdIdentity identity, Path path) {
        used.put(identity.directory(), identity);
        paths.put(identity.directory(), printable(path));
    }

    private static String printable(Path path) {
        return path.toString().replaceAll("\\p{Cntrl}", "?");
    }

    /** Has the file say which directories are in use; a power cut does not undo that. */
    synchronized void write() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(FIRST_LINE + state());
        used.forEach((id, identity) -> lines.add(id + " " + identity.state() + " " + paths.get(id)));
        ReplacedFile.writeDurably(sys, stateDir.resolve(FILE), String.join("\n", lines) + "\n");
    }
}
