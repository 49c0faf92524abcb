package io.tidemark.bench.volume;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program {@code reference.c}: the least that a program can do for a walk or an eviction. */
final class Reference {
    private final Path program;

    private Reference(Path program) {
        this.program = program;
    }

    /** Compiles it with the machine's {@code cc}. */
    static Reference compile(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("reference.c");
        try (InputStream text = Reference.class.getResourceAsStream("reference.c")) {
            if (text == null) {
                throw new IOException("reference.c is not on the class path");
            }
            Files.copy(text, source);
        }
        Path program = folder.resolve("reference");
        Commands.run("cc", "-O2", "-o", program.toString(), source.toString(), "-lpthread");
        return new Reference(program);
    }

    /**
     * Files handled.
     *
     * @param seconds from start to end
     * @param lastSeconds of those, what the last step took: the removal alone, without the walk before it
     */
    record Result(long files, double seconds, double lastSeconds) {
        double perSecond() {
            return files / seconds;
        }
    }

    /** Makes a cache. */
    void make(Path root, long files, Shape shape) throws IOException, InterruptedException {
        Commands.run(
                program.toString(),
                "make",
                root.toString(),
                Long.toString(files),
                Integer.toString(shape.buckets()),
                Integer.toString(shape.leaves()));
    }

    /** Looks at every file. */
    Result walk(Path root, int threads) throws IOException, InterruptedException {
        return result(Commands.run(program.toString(), "walk", root.toString(), Integer.toString(threads)));
    }

    /** When each file was last used, in seconds since 1970, in rising order. */
    long[] lastUses(Path root, int threads) throws IOException, InterruptedException {
        return Commands.run(program.toString(), "uses", root.toString(), Integer.toString(threads))
                .lines()
                .mapToLong(Long::parseLong)
                .sorted()
                .toArray();
    }

    /** Removes the coldest share of the files, after a walk over all. */
    Result evict(Path root, int threads, double percent) throws IOException, InterruptedException {
        return result(Commands.run(
                program.toString(), "evict", root.toString(), Integer.toString(threads), Double.toString(percent)));
    }

    private static Result result(String line) {
        String[] words = line.split(" ", -1);
        return new Result(Long.parseLong(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
    }
}
