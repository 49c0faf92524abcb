package io.tidemark.server.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Writes a cache in the layout of vLLM, each block a minute colder than the one before, and knows what is gone of it. */
final class BlockFiles {
    static final int BYTES = 16 << 10;

    private final Path root;
    private final Instant began = Instant.now().minus(Duration.ofHours(24));
    private final Random names = new Random(4);
    private final List<Path> written = new ArrayList<>();

    BlockFiles(Path root) {
        this.root = root;
    }

    /** The folder that names a model beside its rank directories. */
    void model(String folder, String name) throws IOException {
        Files.createDirectories(root.resolve(folder));
        Files.writeString(root.resolve(folder).resolve("config.json"), "{\"model_name\": \"" + name + "\"}");
    }

    /** A block of a rank directory, named by 64 digits. */
    void block(String rank) throws IOException {
        byte[] hash = new byte[32];
        names.nextBytes(hash);
        hash[0] = 0;
        hash[1] = (byte) (hash[1] & 0xf1); // every shard, in two folders of each
        hash[2] = (byte) (hash[2] & 0x0f);
        block(rank, HexFormat.of().formatHex(hash));
    }

    private void block(String rank, String hash) throws IOException {
        Path leaf = root.resolve(rank).resolve(hash.substring(0, 3)).resolve(hash.substring(3, 5) + "_g0");
        Files.createDirectories(leaf);
        Path file = leaf.resolve(hash + ".bin");
        Files.write(file, new byte[BYTES]);
        FileTime time = FileTime.from(began.minus(Duration.ofMinutes(written.size())));
        Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, time, null);
        written.add(file);
    }

    int count() {
        return written.size();
    }

    /** What is not there any more. */
    List<Path> gone() {
        return written.stream().filter(file -> !Files.exists(file)).toList();
    }

    /** The coldest of all that were written. */
    List<Path> coldest(int count) {
        return written.subList(Math.max(0, written.size() - count), written.size());
    }
}
