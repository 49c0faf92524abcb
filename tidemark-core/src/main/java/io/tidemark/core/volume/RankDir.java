package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** A rank directory: the blocks of one rank of one model. Known by the same number for as long as the process runs. */
public final class RankDir {
    private final int id;
    private final byte[] path;
    private final Optional<String> model;
    private final String modelLabel;

    RankDir(int id, byte[] path, Optional<String> model) {
        this.id = id;
        this.path = path.clone();
        this.model = model;
        this.modelLabel = model.orElseGet(() -> toString().replaceFirst("_r\\d+$", ""));
    }

    /** A rank directory on its own, of number 0. */
    public static RankDir of(String path, Optional<String> model) {
        return new RankDir(0, path.getBytes(StandardCharsets.UTF_8), model);
    }

    int id() {
        return id;
    }

    /** Path below the root of the cache, in bytes; empty for the root itself. */
    byte[] path() {
        return path.clone();
    }

    /** Name of the model as its configuration file has it; empty without one. */
    public Optional<String> model() {
        return model;
    }

    /** What metrics and settings call its model: the name, or the directory's without its rank. */
    public String modelLabel() {
        return modelLabel;
    }

    boolean isAt(byte[] otherPath) {
        return Arrays.equals(path, otherPath);
    }

    /** The path for people. */
    @Override
    public String toString() {
        return path.length == 0 ? "." : new String(path, StandardCharsets.UTF_8);
    }
}
