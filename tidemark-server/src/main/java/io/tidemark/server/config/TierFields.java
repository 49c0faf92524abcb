package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What can be said of a tier and of a backend under {@code tiers}: the list that the reader and the docs are made from. */
final class TierFields {
    /** Key of the graph in the file. */
    static final String TIERS = "tiers";

    /** The list of backends of a tier. */
    static final String BACKENDS = "backends";

    /** The names of the tiers below. */
    static final String OFFLOAD_TO = "offload-to";

    /**
     * One field.
     *
     * @param defaultText for the docs
     */
    record Field<T>(String name, ValueType<T> type, String defaultText, String meaning) {}

    private static final int WEIGHT_MAX = 1_000_000;
    private static final int HITS_MAX = 1_000;

    static final ValueType<String> NAME = new ValueType<>("NAME", TierFields::parseName);

    static final Field<String> TIER_NAME =
            new Field<>("name", NAME, "", "Name of the tier, in `status`, metrics and `TM.EVICT`; without `|`.");
    static final Field<String> TRIGGER = new Field<>(
            "offload-trigger",
            ValueType.choice("on_evict", "watermark"),
            "",
            "Whose marks start the demotion. `watermark`: the tier's own, 0.9 and 0.7 unless it gives others; `on_evict`:"
                    + " those of the node (`dram.high-mark` and so on). Without it: its own where given, else the node's.");
    static final Field<Double> HIGH =
            new Field<>("high-mark", ValueType.share(), "as the node", "Filled share of a backend at which it evicts.");
    static final Field<Double> LOW =
            new Field<>("low-mark", ValueType.share(), "as the node", "Filled share of a backend at which that stops.");
    static final Field<String> PROMOTE = new Field<>(
            "promote",
            ValueType.choice("move", "copy", "none"),
            "`none`",
            "What a read from this tier does to the block: it moves up to the entry tier, is copied there, or stays.");
    static final Field<Integer> PROMOTE_HITS = new Field<>(
            "promote-hits", ValueType.count(1, HITS_MAX), "1", "Reads from this tier after which a block goes up.");
    static final Field<String> POLICY = new Field<>(
            "policy",
            ValueType.choice(Settings.policies()),
            "as the node",
            "Order in which blocks leave; `none` never evicts, for tiers of memory.");

    static final Field<String> BACKEND_NAME =
            new Field<>("name", NAME, "", "Name of the backend, in `status`, metrics and `TM.EVICT`.");
    static final Field<String> TYPE = new Field<>("type", ValueType.choice("dram", "ssd"), "", "What it stores in.");
    static final Field<Long> CAPACITY = new Field<>(
            "capacity",
            ValueType.size(1 << 20, 1L << 50),
            "",
            "Memory, or what the directory may occupy with everything in it.");
    static final Field<Path> DIRECTORY =
            new Field<>("directory", ValueType.PATH, "", "For `ssd`: where its files are; one server at a time.");
    static final Field<Long> PAGE = new Field<>(
            "page", ValueType.size(4 << 10, 1 << 26), "`dram.page`, `ssd.page`", "Unit of allocation, a power of two.");
    static final Field<Integer> WEIGHT = new Field<>(
            "weight",
            ValueType.count(1, WEIGHT_MAX),
            "",
            "Share of the keys that are placed here first, relative to the tier's other backends; a full one is passed"
                    + " over. Given for none of them: by capacity; for some: 1 for the others.");

    static final List<Field<?>> OF_TIER = List.of(TIER_NAME, TRIGGER, HIGH, LOW, PROMOTE, PROMOTE_HITS, POLICY);
    static final List<Field<?>> OF_BACKEND = List.of(BACKEND_NAME, TYPE, CAPACITY, DIRECTORY, PAGE, WEIGHT);

    private TierFields() {}

    static Set<String> tierNames() {
        return Stream.concat(OF_TIER.stream().map(Field::name), Stream.of(BACKENDS, OFFLOAD_TO))
                .collect(Collectors.toSet());
    }

    static Set<String> backendNames() {
        return OF_BACKEND.stream().map(Field::name).collect(Collectors.toSet());
    }

    private static String parseName(String text) {
        if (text.isBlank() || text.indexOf('|') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no name; expected one that is not blank, without '|'");
        }
        return text;
    }
}
