package io.tidemark.server.config;

import io.tidemark.server.config.GraphDraft.Backend;
import io.tidemark.server.config.GraphDraft.Marks;
import io.tidemark.server.config.GraphDraft.Target;
import io.tidemark.server.config.GraphDraft.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads {@code tiers} of the configuration file. */
final class YamlTiers {
    private static final String ON_EVICT = "on_evict";
    private static final Marks WATERMARKS = new Marks(0.9, 0.7);

    private final DocFile file;
    private final Set<String> names = new TreeSet<>();
    private boolean allNamed = true;

    private YamlTiers(DocFile file) {
        this.file = file;
    }

    /** The graph, with everything that could be understood; the rest is told as problems of the file. */
    static GraphDraft read(DocFile file, DocNode.Field field) {
        YamlTiers reader = new YamlTiers(file);
        List<Tier> tiers = new ArrayList<>();
        if (field.value() instanceof DocNode.Items items && !items.items().isEmpty()) {
            items.items().forEach(item -> reader.tier(item).ifPresent(tiers::add));
        } else {
            file.problem(
                    field.line(), "'" + TierFields.TIERS + "' holds no list; expected tiers, the entry tier first");
        }
        return new GraphDraft(file.at(field.line()), tiers, reader.names, reader.allNamed);
    }

    private Optional<Tier> tier(DocNode node) {
        if (!(node instanceof DocNode.Fields fields)) {
            file.problem(node.line(), "a tier has to be an object with name and backends");
            allNamed = false;
            return Optional.empty();
        }
        FieldReader reader = new FieldReader(file, "tier " + shown(fields), fields, TierFields.tierNames());
        Optional<String> name = noted(reader.require(TierFields.TIER_NAME.name(), TierFields.TIER_NAME.type()));
        reader.expect(TierFields.BACKENDS, "a list of backends");
        List<Backend> backends = new ArrayList<>();
        reader.list(TierFields.BACKENDS).forEach(item -> backend(item).ifPresent(backends::add));
        if (reader.find(TierFields.BACKENDS).isPresent() && backends.isEmpty()) {
            reader.problem(TierFields.BACKENDS, "no usable backend; expected at least one");
        }
        List<Target> below = targets(reader);
        return name.map(known -> new Tier(
                known,
                reader.at(),
                new GraphDraft.Lines(
                        reader.at(TierFields.LOW.name(), TierFields.HIGH.name()),
                        reader.at(TierFields.PROMOTE.name()),
                        reader.at(TierFields.POLICY.name())),
                backends,
                below,
                marks(reader, below),
                promotion(reader),
                reader.get(TierFields.POLICY.name(), TierFields.POLICY.type())));
    }

    private Optional<String> noted(Optional<String> name) {
        allNamed &= name.isPresent();
        name.ifPresent(names::add);
        return name;
    }

    private static String shown(DocNode.Fields fields) {
        return fields.find("name")
                .filter(field -> field.value() instanceof DocNode.Scalar)
                .map(field -> "'" + ((DocNode.Scalar) field.value()).text() + "'")
                .orElse("without a name");
    }

    private List<Target> targets(FieldReader reader) {
        Optional<DocNode.Field> one =
                reader.find(TierFields.OFFLOAD_TO).filter(field -> field.value() instanceof DocNode.Scalar);
        if (one.isPresent()) {
            return reader.get(TierFields.OFFLOAD_TO, TierFields.NAME).stream()
                    .map(name -> new Target(name, file.at(one.get().line())))
                    .toList();
        }
        List<Target> targets = new ArrayList<>();
        for (DocNode item : reader.list(TierFields.OFFLOAD_TO)) {
            if (item instanceof DocNode.Scalar scalar) {
                targets.add(new Target(scalar.text(), file.at(item.line())));
            } else {
                file.problem(item.line(), TierFields.OFFLOAD_TO + " holds something that is no name");
            }
        }
        return targets;
    }

    /** The marks that the tier says itself; empty: the node's. */
    private static Optional<Marks> marks(FieldReader reader, List<Target> below) {
        Optional<String> trigger = reader.get(TierFields.TRIGGER.name(), TierFields.TRIGGER.type());
        Optional<Double> high = reader.get(TierFields.HIGH.name(), TierFields.HIGH.type());
        Optional<Double> low = reader.get(TierFields.LOW.name(), TierFields.LOW.type());
        boolean own = high.isPresent() || low.isPresent();
        boolean understood =
                high.isPresent() == reader.find(TierFields.HIGH.name()).isPresent()
                        && low.isPresent() == reader.find(TierFields.LOW.name()).isPresent();
        if (trigger.isPresent() && below.isEmpty()) {
            reader.problem(TierFields.TRIGGER.name(), "a trigger needs a target; expected " + TierFields.OFFLOAD_TO);
        }
        if (trigger.stream().anyMatch(ON_EVICT::equals)) {
            if (own) {
                reader.problem(
                        TierFields.HIGH.name(), "marks have no effect with " + TierFields.TRIGGER.name() + " on_evict");
            }
            return Optional.empty();
        }
        return understood && (own || trigger.isPresent())
                ? Optional.of(new Marks(high.orElse(WATERMARKS.high()), low.orElse(WATERMARKS.low())))
                : Optional.empty();
    }

    private static Optional<TierPlan.Promotion> promotion(FieldReader reader) {
        String mode =
                reader.get(TierFields.PROMOTE.name(), TierFields.PROMOTE.type()).orElse("none");
        Optional<Integer> hits = reader.get(TierFields.PROMOTE_HITS.name(), TierFields.PROMOTE_HITS.type());
        if (mode.equals("none")) {
            if (hits.isPresent()) {
                reader.problem(
                        TierFields.PROMOTE_HITS.name(), "promote-hits has no effect without promote: move or copy");
            }
            return Optional.empty();
        }
        return Optional.of(new TierPlan.Promotion(hits.orElse(1), mode.equals("move")));
    }

    private Optional<Backend> backend(DocNode node) {
        if (!(node instanceof DocNode.Fields fields)) {
            file.problem(node.line(), "a backend has to be an object with name, type and capacity");
            allNamed = false;
            return Optional.empty();
        }
        FieldReader reader = new FieldReader(file, "backend " + shown(fields), fields, TierFields.backendNames());
        Optional<String> name = noted(reader.require(TierFields.BACKEND_NAME.name(), TierFields.BACKEND_NAME.type()));
        Optional<GraphDraft.Type> type = reader.require(TierFields.TYPE.name(), TierFields.TYPE.type())
                .map(word -> word.equals("ssd") ? GraphDraft.Type.SSD : GraphDraft.Type.DRAM);
        Optional<Long> capacity = reader.require(TierFields.CAPACITY.name(), TierFields.CAPACITY.type());
        Optional<Integer> weight = reader.get(TierFields.WEIGHT.name(), TierFields.WEIGHT.type());
        Optional<Path> path = reader.get(TierFields.DIRECTORY.name(), TierFields.DIRECTORY.type());
        Optional<Long> page = reader.get(TierFields.PAGE.name(), TierFields.PAGE.type());
        boolean directory = reader.find(TierFields.DIRECTORY.name()).isPresent();
        if (type.stream().anyMatch(known -> directory != (known == GraphDraft.Type.SSD))) {
            reader.problem(
                    TierFields.DIRECTORY.name(),
                    directory ? "memory has no directory" : "'directory' is missing; expected PATH");
        }
        if (name.isEmpty() || type.isEmpty() || capacity.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Backend(
                name.get(), reader.at(), type.get(), capacity.get(), path, page, weight.orElse(TierPlan.BY_CAPACITY)));
    }
}
