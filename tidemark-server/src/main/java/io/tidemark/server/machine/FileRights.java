package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who was refused a file, whose it is, and what to do: for people who are told that a right is missing. */
public final class FileRights {
    /** A failed system call, as {@code SysException} tells it. */
    private static final Pattern REFUSED = Pattern.compile(" on (/.+): E(?:ACCES|PERM)\\b");

    private static final int ROOT = 0;

    private static final String BEYOND_MODES =
            "an attribute (lsattr), a security module, a mount that maps users, or a capability"
                    + " that was taken from the process (CAP_DAC_OVERRIDE)";

    private FileRights() {}

    /** What to put behind a failure that was told in the kernel's words; empty: no right was missing. */
    public static String behind(String failure) {
        Matcher refused = REFUSED.matcher(failure);
        return refused.find() ? advice(Path.of(refused.group(1))) : "";
    }

    /** What to put behind the refusal of this file. */
    public static String advice(Path refused) {
        try {
            return advice(refused, uid(Path.of("/proc/self")));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return ""; // a machine that does not say who runs what
        }
    }

    /** As above, for a process of that user. */
    static String advice(Path refused, int user) throws IOException {
        Path place = refusing(refused.toAbsolutePath().normalize());
        int owner = uid(place);
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(place);
        String facts = "; this process runs as uid " + user + ", and " + place + " belongs to uid " + owner + " ("
                + Files.getOwner(place).getName() + ") with mode " + PosixFilePermissions.toString(rights) + ": ";
        if (user == owner && rights.containsAll(needed(place))) {
            return facts + "these allow it, so look for " + BEYOND_MODES;
        }
        return facts
                + (user == owner
                        ? "give its owner more rights (chmod u+rwX)"
                        : "have it owned by that user (chown), or run the process as its owner")
                + (user == ROOT ? "; root is refused by " + BEYOND_MODES + " too" : "");
    }

    /** What is refused: the first folder on the way that may not be entered, the file, or the folder where it is to be made. */
    private static Path refusing(Path file) {
        Path at = Optional.ofNullable(file.getRoot()).orElse(file);
        for (Path name : file) {
            Path next = at.resolve(name);
            if (!Files.isExecutable(at) || !Files.exists(next)) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private static Set<PosixFilePermission> needed(Path place) {
        return PosixFilePermissions.fromString(Files.isDirectory(place) ? "rwx------" : "rw-------");
    }

    private static int uid(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid") instanceof Integer uid ? uid : -1;
    }
}
