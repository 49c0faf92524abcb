package io.tidemark.index.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The files of one recording: FILE and those before it, {@code FILE.1}, {@code FILE.2} and so on, each also as {@code .gz}.
 *
 * <p>A server may go on meanwhile and give them other names: all are opened before one is read, and each says in its header
 * which part it is, so that none is taken twice. A file under such a name that cannot be read, or is of another recording, is
 * no reason to leave FILE alone.
 */
final class RecordingParts implements AutoCloseable {
    /** Names in turn at which there is nothing: then there is nothing behind them. One may be free while files are moved. */
    private static final int GAP = 2;

    private final TreeMap<Integer, RecordingReader> parts = new TreeMap<>();
    private final RecordingReader last;
    private final List<String> remarks = new ArrayList<>();

    /** Takes over {@code file}, and opens those before it. */
    RecordingParts(InputStream file, Path path) throws IOException {
        last = new RecordingReader(file, path.toString());
        parts.put(last.part(), last);
        int absent = 0;
        for (int age = 1; absent < GAP && parts.firstKey() > 0; age++) {
            absent = openEarlier(path, age) ? 0 : absent + 1;
        }
        if (parts.size() > 1) {
            remarks.add("goes on from " + parts.firstEntry().getValue().where());
        }
        if (parts.size() <= last.part()) {
            remarks.add((last.part() + 1 - parts.size()) + " of the recording's " + (last.part() + 1)
                    + " files are missing before or between these");
        }
    }

    /** What there is to say about the files. */
    List<String> remarks() {
        return remarks;
    }

    /** Reads all uses, the first one first. */
    void readAll(Consumer<Use> uses) throws IOException {
        for (RecordingReader part : parts.values()) {
            Optional<Long> torn = part.readAll(uses);
            torn.ifPresent(offset -> remarks.add(
                    part.where() + ": the last use is cut off at byte " + offset + ", as after a kill; left out"));
        }
    }

    @Override
    public void close() throws IOException {
        for (RecordingReader part : parts.values()) {
            part.close();
        }
    }

    /** False where no file has this name. */
    private boolean openEarlier(Path path, int age) throws IOException {
        String name = path.getFileName().toString();
        String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        return openEarlier(path.resolveSibling(plain + "." + age))
                || openEarlier(path.resolveSibling(plain + "." + age + ".gz"));
    }

    private boolean openEarlier(Path path) throws IOException {
        InputStream in;
        try {
            in = TraceReader.open(path);
        } catch (NoSuchFileException _) {
            return false;
        } catch (IOException e) {
            return leftOut(path, e);
        }
        try {
            take(new RecordingReader(in, path.toString()));
        } catch (IOException e) {
            in.close();
            return leftOut(path, e);
        }
        return true;
    }

    private void take(RecordingReader reader) throws IOException {
        boolean isBefore = reader.recording().equals(last.recording()) && reader.part() < last.part();
        if (!isBefore || parts.putIfAbsent(reader.part(), reader) != null) {
            reader.close();
        }
    }

    private boolean leftOut(Path path, IOException e) {
        remarks.add("left out: " + (e instanceof TraceFormatException ? "" : path + ": ") + e.getMessage());
        return true;
    }
}
