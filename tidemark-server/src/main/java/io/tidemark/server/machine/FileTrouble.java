package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in words: the message of some exceptions is only the path. */
public final class FileTrouble {
    private FileTrouble() {}

    /** The reason, without the path if the exception is about one; never empty. */
    public static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            case FileSystemException _ -> e.getClass().getSimpleName();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
