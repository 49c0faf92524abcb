package io.tidemark.core.medium;

import java.util.Map;

/** Error numbers of the Linux kernel that callers tell apart, and their names. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int EOPNOTSUPP = 95;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int EHOSTDOWN = 112;
    public static final int EHOSTUNREACH = 113;
    public static final int ESTALE = 116;
    public static final int EUCLEAN = 117;
    public static final int EDQUOT = 122;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(EIO, "EIO"),
            Map.entry(ENXIO, "ENXIO"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(ENOMEM, "ENOMEM"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(EBUSY, "EBUSY"),
            Map.entry(EEXIST, "EEXIST"),
            Map.entry(EXDEV, "EXDEV"),
            Map.entry(ENODEV, "ENODEV"),
            Map.entry(ENOTDIR, "ENOTDIR"),
            Map.entry(EISDIR, "EISDIR"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(ENFILE, "ENFILE"),
            Map.entry(EMFILE, "EMFILE"),
            Map.entry(EFBIG, "EFBIG"),
            Map.entry(ENOSPC, "ENOSPC"),
            Map.entry(EROFS, "EROFS"),
            Map.entry(ENAMETOOLONG, "ENAMETOOLONG"),
            Map.entry(ENOTEMPTY, "ENOTEMPTY"),
            Map.entry(ELOOP, "ELOOP"),
            Map.entry(EOPNOTSUPP, "EOPNOTSUPP"),
            Map.entry(ECONNRESET, "ECONNRESET"),
            Map.entry(ENOBUFS, "ENOBUFS"),
            Map.entry(ENOTCONN, "ENOTCONN"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"),
            Map.entry(EHOSTDOWN, "EHOSTDOWN"),
            Map.entry(EHOSTUNREACH, "EHOSTUNREACH"),
            Map.entry(ESTALE, "ESTALE"),
            Map.entry(EUCLEAN, "EUCLEAN"),
            Map.entry(EDQUOT, "EDQUOT"));

    private Errno() {}

    /** Whether a write failed because there is no room: on the file system, or within a quota of it. Full is not broken. */
    static boolean isFull(int errno) {
        return errno == ENOSPC || errno == EDQUOT;
    }

    /** Whether the machine has too little of something at the moment, memory mostly: neither device nor bytes are at fault. */
    public static boolean isShortage(int errno) {
        return errno == ENOMEM || errno == EAGAIN || errno == ENOBUFS;
    }

    /** What the error of a device means to whoever runs the machine, to stand behind what failed; empty where the name says it. */
    static String meaning(int errno) {
        return switch (errno) {
            case EROFS ->
                ": the file system is read-only, as the kernel makes it when it finds errors (see dmesg): what is there is served,"
                        + " nothing new is stored until it is repaired and mounted for writing again";
            case EIO -> ": the device fails (see dmesg)";
            default -> "";
        };
    }

    /** The kernel's name of an error number, or the number where it is not listed here. */
    public static String name(int errno) {
        return NAMES.getOrDefault(errno, "errno " + errno);
    }
}
