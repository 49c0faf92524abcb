package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What went wrong with a file, in words: the message of some exceptions is only the path. Of a right that is missing it says whose the file is. */
public final class FileTrouble {
    /** What the C library says of EPERM. */
    private static final String NOT_PERMITTED = "Operation not permitted";

    private FileTrouble() {}

    /** The reason, without the path if the exception is about one; never empty. */
    public static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException denied -> "permission denied" + advice(denied);
            case FileSystemException known
            when known.getReason() != null ->
                known.getReason() + (known.getReason().equals(NOT_PERMITTED) ? advice(known) : "");
            case FileSystemException _ -> e.getClass().getSimpleName();
            default ->
                e.getMessage() == null
                        ? e.getClass().getSimpleName()
                        : e.getMessage() + FileRights.behind(e.getMessage());
        };
    }

    private static String advice(FileSystemException refused) {
        return refused.getFile() == null ? "" : FileRights.advice(Path.of(refused.getFile()));
    }
}
