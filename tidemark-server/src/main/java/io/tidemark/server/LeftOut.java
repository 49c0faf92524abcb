package io.tidemark.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list, in the state directory, of SSD directories that a server ran without: what was deleted or overwritten then could
 * not be recorded there, so what lies in them is void. Outlives a kill as soon as a call returns. Its monitor guards
 * the file.
 */
final class LeftOut {
    /** Name of the file: a directory a line. */
    static final String FILE = "left-out";

    private final Path stateDir;

    LeftOut(Path stateDir) {
        this.stateDir = stateDir;
    }

    /** Whether what lies in the directory is void. */
    synchronized boolean holds(Path directory) throws IOException {
        return read().contains(directory.toString());
    }

    /** A server goes on without the directory. */
    synchronized void add(Path directory) throws IOException {
        Set<String> all = read();
        if (all.add(directory.toString())) {
            write(all);
        }
    }

    /** The directory is in use again, empty. */
    synchronized void remove(Path directory) throws IOException {
        Set<String> all = read();
        if (all.remove(directory.toString())) {
            write(all);
        }
    }

    private Set<String> read() throws IOException {
        try {
            return new TreeSet<>(Files.readAllLines(stateDir.resolve(FILE)));
        } catch (NoSuchFileException _) {
            return new TreeSet<>();
        }
    }

    private void write(Set<String> all) throws IOException {
        Path temporary = stateDir.resolve(FILE + StateDir.TEMPORARY);
        Files.write(temporary, all);
        Files.move(temporary, stateDir.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }
}
