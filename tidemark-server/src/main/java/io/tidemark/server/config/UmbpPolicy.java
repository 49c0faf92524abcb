package io.tidemark.server.config;

import io.tidemark.server.config.DocNode.Form;
import io.tidemark.server.config.GraphDraft.Backend;
import io.tidemark.server.config.GraphDraft.Marks;
import io.tidemark.server.config.GraphDraft.Target;
import io.tidemark.server.config.GraphDraft.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a graph of tiers from UMBP's policy file, JSON of schema version 1, with UMBP's fields and rules. Both ways to
 * write a promotion are taken: {@code promote_on_read} with {@code promotion_mode}, and {@code promote_trigger} with
 * {@code promote_hits} and {@code promote_mode}.
 *
 * <p>Members of a tier stand in the order of their names, as in UMBP: that order and the weights place a key.
 */
final class UmbpPolicy {
    private static final Pattern CAPACITY = Pattern.compile("(\\d{1,19})(B|KiB|MiB|GiB|TiB)");
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final int BITS_PER_UNIT = 10;
    private static final Marks MARKS = new Marks(0.9, 0.7);

    private static final ValueType<Long> SIZE = new ValueType<>("SIZE", UmbpPolicy::parseCapacity);
    private static final ValueType<String> NAME = TierFields.NAME;
    private static final ValueType<Integer> POSITIVE = ValueType.count(1, Integer.MAX_VALUE);
    private static final ValueType<Integer> DEVICE = ValueType.count(0, Integer.MAX_VALUE);

    private final DocFile file;
    private final List<String> warnings;
    private final Set<String> names = new TreeSet<>();
    private boolean allNamed = true;

    private UmbpPolicy(DocFile file, List<String> warnings) {
        this.file = file;
        this.warnings = warnings;
    }

    /** The graph of a file; adds what is wrong with it to the problems. */
    static GraphDraft read(Path path, Origin namedBy, List<String> problems, List<String> warnings) {
        DocFile file = new DocFile(path, "JSON", Optional.of(namedBy), problems);
        UmbpPolicy policy = new UmbpPolicy(file, warnings);
        List<Tier> tiers = new ArrayList<>();
        file.read(JsonFactory.builder().build())
                .ifPresentOrElse(
                        root -> {
                            if (root instanceof DocNode.Fields fields) {
                                tiers.addAll(policy.policy(fields));
                            } else {
                                file.problem(root.line(), "expected an object with backends and tiers");
                            }
                        },
                        () -> {
                            if (problems.isEmpty()) {
                                file.problem(1, "is empty; expected an object with backends and tiers");
                            }
                        });
        return new GraphDraft(file.at(1), tiers, policy.names, policy.allNamed);
    }

    private List<Tier> policy(DocNode.Fields root) {
        FieldReader reader =
                new FieldReader(file, "policy", root, Set.of("schema_version", "entry_tier", "backends", "tiers"));
        Optional<Integer> version = reader.get("schema_version", Form.NUMBER, POSITIVE);
        if (version.stream().anyMatch(number -> number != 1)) {
            reader.problem("schema_version", "schema_version " + version.get() + " is not known; expected 1");
        }
        reader.expect("backends", "an object of backends by name");
        reader.expect("tiers", "a list of tiers, the entry tier first");
        Map<String, Backend> backends = new LinkedHashMap<>();
        reader.object("backends").ifPresent(all -> backends(all, backends));
        List<Tier> tiers = new ArrayList<>();
        Set<String> used = new TreeSet<>();
        List<DocNode> written = reader.list("tiers");
        for (int index = 0; index < written.size(); index++) {
            tier(written.get(index), index, backends, used).ifPresent(tiers::add);
        }
        if (reader.find("tiers").isPresent() && written.isEmpty()) {
            reader.problem("tiers", "tiers is empty; expected at least one");
        }
        for (Backend backend : backends.values()) {
            if (!used.contains(backend.name())) {
                file.problems()
                        .add(backend.at() + ": backend '" + backend.name()
                                + "': is a member of no tier; expected exactly one");
            }
        }
        entry(reader, tiers);
        return tiers;
    }

    private static void entry(FieldReader reader, List<Tier> tiers) {
        Optional<String> entry = reader.get("entry_tier", Form.TEXT, NAME);
        if (entry.isEmpty() || tiers.isEmpty() || tiers.getFirst().name().equals(entry.get())) {
            return;
        }
        boolean known = tiers.stream().anyMatch(tier -> tier.name().equals(entry.get()));
        reader.problem(
                "entry_tier",
                known
                        ? "entry_tier '" + entry.get() + "' is not the first tier; expected '"
                                + tiers.getFirst().name() + "': no block would reach the tiers before it"
                        : "entry_tier '" + entry.get() + "' is no tier; expected '"
                                + tiers.getFirst().name() + "'");
    }

    private void backends(DocNode.Fields all, Map<String, Backend> backends) {
        for (DocNode.Field field : all.fields()) {
            String what = "backend '" + field.name() + "'";
            names.add(field.name());
            all.before(field).ifPresent(first -> file.twice(what, first, field));
            if (!(field.value() instanceof DocNode.Fields fields)) {
                file.problem(field.line(), what + ": expected an object with type and capacity");
                continue;
            }
            backend(field, fields, what).ifPresent(backend -> backends.put(field.name(), backend));
        }
    }

    private Optional<Backend> backend(DocNode.Field field, DocNode.Fields fields, String what) {
        Optional<GraphDraft.Type> type = fields.find("type").flatMap(UmbpPolicy::typeOf);
        FieldReader reader = new FieldReader(file, what, fields, known(type));
        reader.expect("type", "'dram', 'hbm' or 'ssd'");
        if (type.isEmpty() && fields.find("type").isPresent()) {
            reader.problem("type", "type is not known; expected 'dram', 'hbm' or 'ssd'");
        }
        reader.expect("capacity", "for example \"512GiB\"");
        Optional<Long> capacity = reader.get("capacity", Form.TEXT, SIZE);
        Optional<Path> path = reader.get("path", Form.TEXT, ValueType.PATH);
        type.ifPresent(known -> particulars(reader, known, what));
        if (type.isEmpty() || capacity.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Backend(
                field.name(), file.at(field.line()), type.get(), capacity.get(), path, Optional.empty(), 1));
    }

    private static Optional<GraphDraft.Type> typeOf(DocNode.Field field) {
        return field.value() instanceof DocNode.Scalar(int _, String text, Form form) && form == Form.TEXT
                ? switch (text) {
                    case "dram" -> Optional.of(GraphDraft.Type.DRAM);
                    case "hbm" -> Optional.of(GraphDraft.Type.HBM);
                    case "ssd" -> Optional.of(GraphDraft.Type.SSD);
                    default -> Optional.empty();
                }
                : Optional.empty();
    }

    private static Set<String> known(Optional<GraphDraft.Type> type) {
        return type.map(known -> switch (known) {
                    case DRAM -> Set.of("type", "capacity", "numa_node");
                    case HBM -> Set.of("type", "capacity", "devices");
                    case SSD -> Set.of("type", "capacity", "path", "staging_slots");
                })
                .orElse(Set.of("type", "capacity", "numa_node", "devices", "path", "staging_slots"));
    }

    private void particulars(FieldReader reader, GraphDraft.Type type, String what) {
        switch (type) {
            case DRAM -> numaNode(reader, what);
            case SSD -> {
                reader.expect("path", "the directory for its files");
                if (reader.get("staging_slots", Form.NUMBER, POSITIVE).isPresent()) {
                    warnings.add(reader.at() + ": " + what + ": staging_slots has no effect; reads from SSD share"
                            + " ssd.read-memory");
                }
            }
            case HBM -> {
                reader.expect("devices", "a list of device numbers");
                List<DocNode> devices = reader.list("devices");
                Set<String> seen = new TreeSet<>();
                boolean sound = !devices.isEmpty()
                        && devices.stream().allMatch(device -> isCount(device, DEVICE) && seen.add(text(device)));
                if (reader.find("devices").isPresent() && !sound) {
                    reader.problem("devices", "devices has to list numbers that differ, at least one");
                }
            }
        }
    }

    private void numaNode(FieldReader reader, String what) {
        Optional<DocNode.Field> node = reader.find("numa_node");
        if (node.isEmpty()) {
            return;
        }
        boolean sound = switch (node.get().value()) {
            case DocNode.Items items -> items.items().stream().allMatch(item -> isCount(item, DEVICE));
            case DocNode value -> isCount(value, ValueType.count(-1, Integer.MAX_VALUE));
        };
        if (!sound) {
            reader.problem("numa_node", "numa_node has to be a node's number, -1, or a list of numbers");
        } else if (!text(node.get().value()).equals("-1")) {
            warnings.add(reader.at() + ": " + what + ": numa_node has no effect; start the server under numactl");
        }
    }

    private static boolean isCount(DocNode node, ValueType<Integer> type) {
        try {
            return node instanceof DocNode.Scalar scalar
                    && scalar.form() == Form.NUMBER
                    && type.parser().apply(scalar.text()) >= -1;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static String text(DocNode node) {
        return node instanceof DocNode.Scalar scalar ? scalar.text() : "";
    }

    private Optional<Tier> tier(DocNode node, int index, Map<String, Backend> backends, Set<String> used) {
        if (!(node instanceof DocNode.Fields fields)) {
            file.problem(node.line(), "tiers[" + index + "]: expected an object with name and backends");
            allNamed = false;
            return Optional.empty();
        }
        FieldReader reader = new FieldReader(
                file,
                "tiers[" + index + "]",
                fields,
                Set.of(
                        "name",
                        "backends",
                        "placement_policy",
                        "offload_to",
                        "offload_trigger",
                        "high_watermark",
                        "low_watermark",
                        "promote_on_read",
                        "promotion_mode",
                        "promote_trigger",
                        "promote_hits",
                        "promote_mode"));
        reader.get("placement_policy", Form.TEXT, ValueType.choice("weighted"));
        List<Backend> members = members(reader, backends, used);
        List<Target> below = targets(reader);
        String name = reader.get("name", Form.TEXT, NAME).orElse("tier_" + index);
        names.add(name);
        return Optional.of(new Tier(
                name,
                reader.at(),
                new GraphDraft.Lines(
                        reader.at("low_watermark", "high_watermark"),
                        reader.at("promote_on_read", "promote_trigger"),
                        reader.at()),
                members,
                below,
                marks(reader, below),
                UmbpPromotion.read(reader),
                Optional.empty()));
    }

    private List<Backend> members(FieldReader reader, Map<String, Backend> backends, Set<String> used) {
        reader.expect("backends", "an object of weights by the name of a backend");
        List<Backend> members = new ArrayList<>();
        DocNode.Fields weights = reader.object("backends").orElse(new DocNode.Fields(1, List.of()));
        FieldReader byName = new FieldReader(file, "weights", weights, names(weights));
        for (DocNode.Field field : weights.fields()) {
            Optional<Integer> weight = byName.get(field.name(), Form.NUMBER, POSITIVE);
            used.add(field.name());
            Backend backend = backends.get(field.name());
            if (backend == null) {
                file.problem(
                        field.line(),
                        "'" + field.name() + "' is no usable backend" + Nearest.hint(field.name(), backends.keySet()));
            } else {
                members.add(new Backend(
                        backend.name(),
                        file.at(field.line()),
                        backend.type(),
                        backend.capacityBytes(),
                        backend.directory(),
                        backend.pageBytes(),
                        weight.orElse(1)));
            }
        }
        if (reader.find("backends").isPresent() && weights.fields().isEmpty()) {
            reader.problem("backends", "backends is empty; expected at least one");
        }
        members.sort(Comparator.comparing(Backend::name));
        return members;
    }

    private static Set<String> names(DocNode.Fields fields) {
        Set<String> names = new TreeSet<>();
        fields.fields().forEach(field -> names.add(field.name()));
        return names;
    }

    private List<Target> targets(FieldReader reader) {
        List<Target> targets = new ArrayList<>();
        for (DocNode item : reader.list("offload_to")) {
            if (item instanceof DocNode.Scalar scalar && scalar.form() == Form.TEXT) {
                targets.add(new Target(scalar.text(), file.at(item.line())));
            } else {
                file.problem(item.line(), "offload_to holds something that is no name in quotes");
            }
        }
        return targets;
    }

    private static Optional<Marks> marks(FieldReader reader, List<Target> below) {
        Optional<String> trigger = reader.get("offload_trigger", Form.TEXT, ValueType.choice("on_evict", "watermark"));
        if (!below.isEmpty()) {
            reader.expect("offload_trigger", "'on_evict' or 'watermark'");
        }
        Optional<Double> givenHigh = reader.get("high_watermark", Form.NUMBER, ValueType.share());
        Optional<Double> givenLow = reader.get("low_watermark", Form.NUMBER, ValueType.share());
        boolean own = reader.find("high_watermark").isPresent()
                || reader.find("low_watermark").isPresent();
        boolean understood =
                givenHigh.isPresent() == reader.find("high_watermark").isPresent()
                        && givenLow.isPresent() == reader.find("low_watermark").isPresent();
        double high = givenHigh.orElse(MARKS.high());
        double low = givenLow.orElse(MARKS.low());
        if (understood && low >= high) {
            reader.problem("low_watermark", "low_watermark " + low + " has to be below high_watermark " + high);
            return Optional.empty();
        }
        boolean watermark = trigger.stream().anyMatch("watermark"::equals);
        boolean last = trigger.isEmpty() && own;
        return watermark || last ? Optional.of(new Marks(high, low)) : Optional.empty();
    }

    private static long parseCapacity(String text) {
        Matcher matcher = CAPACITY.matcher(text);
        if (!matcher.matches() || text.startsWith("0")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no capacity; expected a whole number above 0 with B, KiB, MiB, GiB or TiB");
        }
        try {
            long unit = 1L << (BITS_PER_UNIT * UNITS.indexOf(matcher.group(2)));
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        } catch (ArithmeticException | NumberFormatException _) {
            throw new IllegalArgumentException("'" + text + "' is too large; expected less than 8 EiB");
        }
    }
}
