package io.tidemark.core.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The rank directories seen so far, each with a number that stays. Grows with distinct rank directories only, up to
 * {@link #RANKS_MAX}. Guarded by itself.
 */
final class RankTable {
    /** What two bytes can number. */
    static final int RANKS_MAX = 65_536;

    private final Function<byte[], Optional<String>> modelOf;
    private final List<RankDir> ranks = new ArrayList<>();

    /**
     * A table.
     *
     * @param modelOf reads the model's name for a rank directory's path; asked once for each that has an answer
     */
    RankTable(Function<byte[], Optional<String>> modelOf) {
        this.modelOf = modelOf;
    }

    /** The rank directory at a path; empty when the table is full. */
    Optional<RankDir> at(byte[] path) {
        Optional<RankDir> known = find(path);
        if (known.isPresent() && known.get().model().isPresent()) {
            return known;
        }
        Optional<String> model = modelOf.apply(path);
        return known.isPresent() && model.isEmpty() ? known : put(path, model);
    }

    private synchronized Optional<RankDir> find(byte[] path) {
        return ranks.stream().filter(rank -> rank.isAt(path)).findFirst();
    }

    private synchronized Optional<RankDir> put(byte[] path, Optional<String> model) {
        for (int id = 0; id < ranks.size(); id++) {
            if (ranks.get(id).isAt(path)) {
                ranks.set(id, new RankDir(id, path, model));
                return Optional.of(ranks.get(id));
            }
        }
        if (ranks.size() == RANKS_MAX) {
            return Optional.empty();
        }
        ranks.add(new RankDir(ranks.size(), path, model));
        return Optional.of(ranks.getLast());
    }

    synchronized RankDir byId(int id) {
        return ranks.get(id);
    }

    synchronized int size() {
        return ranks.size();
    }
}
