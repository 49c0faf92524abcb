package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the plan of tiers: from a graph where there is one, else from the settings of memory and SSD. */
final class TierAssembly {
    /** Name of the tier, and of the directory in the state directory, that the settings of SSD make. */
    private static final String SSD = "ssd";

    private static final String DRAM = "dram";

    /** Smallest share of the SSD's capacity: below, journal and checkpoints take more of it than is sensible. */
    private static final long MIN_DIRECTORY_BYTES = 64 << 20;

    /** Most memory and most space that one backend may have. */
    private static final long MAX_DRAM_BYTES = 1L << 46;

    private static final long MAX_SSD_BYTES = 1L << 50;

    /** Largest page of an SSD: what one checksum covers. */
    private static final int MAX_SSD_PAGE_BYTES = 64 << 10;

    /** Most pages that the allocator of a tier or directory numbers. */
    private static final long MAX_PAGES = (1 << 30) - 1;

    private final Effective effective;
    private final List<String> problems;

    /** @param problems grows with what is found */
    TierAssembly(Effective effective, List<String> problems) {
        this.effective = effective;
        this.problems = problems;
    }

    /** The plan; only usable when no problem was found. */
    TierPlan plan(Path stateDir) {
        requireBelow(Settings.LOW_MARK, Settings.HIGH_MARK);
        requireBelow(Settings.SSD_LOW_MARK, Settings.SSD_HIGH_MARK);
        requirePowerOfTwo(Settings.DRAM_PAGE);
        requirePowerOfTwo(Settings.SSD_PAGE);
        return effective.graph().map(this::fromGraph).orElseGet(() -> fromSettings(stateDir));
    }

    private void requireBelow(Setting<Double> low, Setting<Double> high) {
        if (effective.get(low) >= effective.get(high)) {
            problem(
                    low,
                    "has to be below " + high.key() + " (" + effective.get(high) + ", "
                            + effective.given(high).origin() + ")");
        }
    }

    private void requirePowerOfTwo(Setting<Long> page) {
        if (Long.bitCount(effective.get(page)) != 1) {
            problem(page, "expected a power of two");
        }
    }

    private TierPlan fromSettings(Path stateDir) {
        List<TierPlan.Tier> tiers = new ArrayList<>();
        Optional<TierPlan.Tier> below = ssd(stateDir);
        tiers.add(tier(DRAM, List.of(new TierPlan.Member(dram(), 1)), below.isPresent() ? List.of(SSD) : List.of()));
        below.ifPresent(tiers::add);
        return new TierPlan(tiers, effective.isDefault(Settings.DRAM_CAPACITY));
    }

    private TierPlan.Dram dram() {
        long page = effective.get(Settings.DRAM_PAGE);
        long capacity = effective.get(Settings.DRAM_CAPACITY);
        if (capacity < page) {
            problem(Settings.DRAM_CAPACITY, "smaller than one page of " + ByteSize.exact(page));
        }
        if (capacity / page > MAX_PAGES) {
            problem(
                    Settings.DRAM_CAPACITY,
                    ByteSize.exact(capacity) + " is too much in pages of " + ByteSize.exact(page)
                            + "; expected at most "
                            + ByteSize.exact(MAX_PAGES * page) + ", or larger pages with "
                            + Settings.DRAM_PAGE.flag());
        }
        return new TierPlan.Dram(DRAM + "0", capacity - capacity % page, (int) page);
    }

    private TierPlan.Tier tier(String name, List<TierPlan.Member> members, List<String> offloadTo) {
        boolean memory = name.equals(DRAM);
        GraphDraft.Marks marks = nodeMarks(memory);
        return new TierPlan.Tier(
                name,
                members,
                marks.high(),
                marks.low(),
                offloadTo,
                memory ? Optional.empty() : promotion(),
                effective.get(memory ? Settings.POLICY : Settings.SSD_POLICY));
    }

    private GraphDraft.Marks nodeMarks(boolean memory) {
        return memory
                ? new GraphDraft.Marks(effective.get(Settings.HIGH_MARK), effective.get(Settings.LOW_MARK))
                : new GraphDraft.Marks(effective.get(Settings.SSD_HIGH_MARK), effective.get(Settings.SSD_LOW_MARK));
    }

    private Optional<TierPlan.Tier> ssd(Path stateDir) {
        Optional<List<Path>> given = effective.find(Settings.SSD_DIRECTORIES);
        Optional<Long> size = effective.find(Settings.SSD_CAPACITY);
        if (given.isEmpty() && size.isEmpty()) {
            refuseWithoutSsd();
            return Optional.empty();
        }
        List<Path> directories = given.orElseGet(() -> List.of(stateDir.resolve(SSD))).stream()
                .map(path -> path.toAbsolutePath().normalize())
                .toList();
        long capacity = size.orElseGet(() -> ByteSize.parse(Settings.SSD_DEFAULT));
        long each = capacity / directories.size();
        long page = effective.get(Settings.SSD_PAGE);
        if (each < MIN_DIRECTORY_BYTES) {
            problem(
                    Settings.SSD_CAPACITY,
                    ByteSize.exact(capacity) + " for " + directories.size() + " directories; expected at least "
                            + ByteSize.exact(MIN_DIRECTORY_BYTES) + " for each");
        }
        if (each / page > MAX_PAGES) {
            problem(Settings.SSD_PAGE, ByteSize.exact(page) + " is too small for directories of this capacity");
        }
        Directories different = new Directories();
        List<TierPlan.Member> members = new ArrayList<>();
        for (Path directory : directories) {
            different
                    .add(directory)
                    .ifPresent(other -> problem(
                            Settings.SSD_DIRECTORIES,
                            directory + " is, holds, or lies in " + other
                                    + "; expected directories beside each other"));
            members.add(new TierPlan.Member(
                    new TierPlan.Ssd(SSD + members.size(), directory, each, (int) page), TierPlan.BY_CAPACITY));
        }
        return Optional.of(tier(SSD, members, List.of()));
    }

    private Optional<TierPlan.Promotion> promotion() {
        int hits = effective.get(Settings.SSD_PROMOTE_HITS);
        return switch (effective.get(Settings.SSD_PROMOTE)) {
            case "move" -> Optional.of(new TierPlan.Promotion(hits, true));
            case "copy" -> Optional.of(new TierPlan.Promotion(hits, false));
            default -> Optional.empty();
        };
    }

    /** A setting of a tier that there is not is a mistake. */
    private void refuseWithoutSsd() {
        for (Setting<?> setting : Settings.all()) {
            if (setting.key().startsWith("ssd.") && effective.isMeant(setting)) {
                problem(
                        setting,
                        "has no effect without " + Settings.SSD_CAPACITY.key() + "; expected "
                                + Settings.SSD_CAPACITY.flag() + " SIZE too");
            }
        }
    }

    private TierPlan fromGraph(GraphDraft graph) {
        for (Setting<?> setting : Settings.replacedByTiers()) {
            if (effective.isMeant(setting)) {
                problem(setting, "has no effect beside the tiers of " + graph.at() + "; expected only one of them");
            }
        }
        List<TierPlan.Tier> tiers = new ArrayList<>();
        for (GraphDraft.Tier tier : graph.tiers()) {
            boolean byCapacity = tier.backends().size() > 1
                    && tier.backends().stream().allMatch(backend -> backend.weight() == TierPlan.BY_CAPACITY);
            List<TierPlan.Member> members = new ArrayList<>();
            for (GraphDraft.Backend backend : tier.backends()) {
                int weight = byCapacity ? TierPlan.BY_CAPACITY : Math.max(1, backend.weight());
                members.add(new TierPlan.Member(backend(backend), weight));
            }
            boolean memory = members.stream().allMatch(member -> member.backend() instanceof TierPlan.Dram);
            GraphDraft.Marks marks = tier.marks().orElseGet(() -> nodeMarks(memory));
            if (marks.low() >= marks.high()) {
                problem(
                        tier.at(),
                        "tier '" + tier.name() + "': low-mark " + marks.low() + " has to be below high-mark "
                                + marks.high());
            }
            tiers.add(new TierPlan.Tier(
                    tier.name(),
                    members,
                    marks.high(),
                    marks.low(),
                    targets(tier, graph),
                    tier.promotion(),
                    tier.policy().orElseGet(() -> effective.get(memory ? Settings.POLICY : Settings.SSD_POLICY))));
        }
        return new TierPlan(tiers, false);
    }

    /** Names of the tiers that the targets mean: a backend means its tier. */
    private static List<String> targets(GraphDraft.Tier tier, GraphDraft graph) {
        return tier.offloadTo().stream()
                .map(target -> graph.tiers().stream()
                        .filter(lower -> lower.name().equals(target.name()) || lower.holds(target.name()))
                        .findFirst()
                        .orElseThrow()
                        .name())
                .distinct()
                .toList();
    }

    private TierPlan.Backend backend(GraphDraft.Backend backend) {
        boolean memory = backend.type() == GraphDraft.Type.DRAM;
        long page = backend.pageBytes().orElseGet(() -> effective.get(memory ? Settings.DRAM_PAGE : Settings.SSD_PAGE));
        long most = Math.min(memory ? MAX_DRAM_BYTES : MAX_SSD_BYTES, MAX_PAGES * page);
        long least = memory ? page : MIN_DIRECTORY_BYTES;
        if (Long.bitCount(page) != 1 || (!memory && page > MAX_SSD_PAGE_BYTES)) {
            problem(
                    backend.at(),
                    "backend '" + backend.name() + "': page of " + ByteSize.exact(page) + "; expected a power of two"
                            + (memory ? "" : " to 64Ki"));
        }
        if (backend.capacityBytes() < least || backend.capacityBytes() > most) {
            problem(
                    backend.at(),
                    "backend '" + backend.name() + "': capacity " + ByteSize.exact(backend.capacityBytes())
                            + " is out of range; expected " + ByteSize.exact(least) + " to "
                            + ByteSize.exact(most) + " in pages of " + ByteSize.exact(page));
        }
        return memory
                ? new TierPlan.Dram(
                        backend.name(), backend.capacityBytes() - backend.capacityBytes() % page, (int) page)
                : new TierPlan.Ssd(
                        backend.name(),
                        backend.directory().orElseThrow().toAbsolutePath().normalize(),
                        backend.capacityBytes(),
                        (int) page);
    }

    private void problem(Setting<?> setting, String text) {
        problem(effective.given(setting).origin(), setting.key() + ": " + text);
    }

    private void problem(Origin at, String text) {
        problems.add(at + ": " + text);
    }
}
