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
    private final Contradictions contradictions;

    TierAssembly(Effective effective, Contradictions contradictions) {
        this.effective = effective;
        this.contradictions = contradictions;
    }

    /** The plan; only usable when no problem was found. Empty: there is a graph, and it was not understood or does not hold. */
    Optional<TierPlan> plan(Path stateDir) {
        requireBelow(Settings.LOW_MARK, Settings.HIGH_MARK);
        requireBelow(Settings.SSD_LOW_MARK, Settings.SSD_HIGH_MARK);
        requirePowerOfTwo(Settings.DRAM_PAGE);
        requirePowerOfTwo(Settings.SSD_PAGE);
        return effective.graph().isPresent()
                ? Optional.of(fromGraph(effective.graph().get())).filter(_ -> effective.graphIsSound())
                : Optional.of(fromSettings(stateDir));
    }

    private void requireBelow(Setting<Double> low, Setting<Double> high) {
        if (effective.get(low) >= effective.get(high)) {
            problem(
                    low,
                    effective.get(low) + " has to be below " + high.key() + " (" + effective.get(high) + ", "
                            + effective.given(high).origin() + ")",
                    high);
        }
    }

    private void requirePowerOfTwo(Setting<Long> page) {
        if (Long.bitCount(effective.get(page)) != 1) {
            problem(
                    page,
                    "'" + effective.given(page).text() + "' is no power of two; expected one, for example "
                            + page.defaultText());
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
            problem(Settings.DRAM_CAPACITY, "smaller than one page of " + ByteSize.exact(page), Settings.DRAM_PAGE);
        }
        if (capacity / page > MAX_PAGES) {
            problem(
                    Settings.DRAM_CAPACITY,
                    ByteSize.exact(capacity) + " is too much in pages of " + ByteSize.exact(page)
                            + "; expected less than " + ByteSize.exact((MAX_PAGES + 1) * page) + ", or "
                            + Settings.DRAM_PAGE.key() + " of " + ByteSize.exact(pageFor(capacity)) + " ("
                            + Settings.DRAM_PAGE.flag() + ")",
                    Settings.DRAM_PAGE);
        }
        return new TierPlan.Dram(DRAM + "0", capacity - capacity % page, (int) page);
    }

    /** The smallest page in which the allocator can number so many bytes. */
    private static long pageFor(long capacityBytes) {
        return Math.max(4096, Long.highestOneBit(capacityBytes / MAX_PAGES) << 1);
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
        judgeShare(capacity, directories.size(), each, page);
        Directories different = new Directories();
        List<TierPlan.Member> members = new ArrayList<>();
        for (Path directory : directories) {
            different
                    .add(directory)
                    .ifPresent(other -> problem(
                            Settings.SSD_DIRECTORIES,
                            directory + " is, holds, or lies in " + other + "; expected directories beside each other",
                            Settings.STATE_DIR));
            members.add(new TierPlan.Member(
                    new TierPlan.Ssd(SSD + members.size(), directory, each, (int) page), TierPlan.BY_CAPACITY));
        }
        return Optional.of(tier(SSD, members, List.of()));
    }

    private void judgeShare(long capacity, int directories, long each, long page) {
        if (each < MIN_DIRECTORY_BYTES) {
            problem(
                    Settings.SSD_CAPACITY,
                    ByteSize.exact(capacity) + " for " + directories + " directories; expected at least "
                            + ByteSize.exact(MIN_DIRECTORY_BYTES) + " for each",
                    Settings.SSD_DIRECTORIES);
        }
        if (each / page > MAX_PAGES) {
            String larger = pageFor(each) > MAX_SSD_PAGE_BYTES
                    ? ""
                    : ", or " + Settings.SSD_PAGE.key() + " of " + ByteSize.exact(pageFor(each)) + " ("
                            + Settings.SSD_PAGE.flag() + ")";
            problem(
                    Settings.SSD_CAPACITY,
                    ByteSize.exact(each) + " a directory is too much in pages of " + ByteSize.exact(page)
                            + "; expected less than " + ByteSize.exact((MAX_PAGES + 1) * page) + larger,
                    Settings.SSD_DIRECTORIES,
                    Settings.SSD_PAGE);
        }
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
                                + Settings.SSD_CAPACITY.flag() + " SIZE too",
                        Settings.SSD_CAPACITY,
                        Settings.SSD_DIRECTORIES);
            }
        }
    }

    /** Tolerates what was not understood: it is told already, and the plan is then not used. */
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
            if (marks.low() >= marks.high() && tier.marks().isPresent()) {
                problem(
                        tier.lines().marks(),
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
                .flatMap(target -> graph.tiers().stream()
                        .filter(lower -> lower.name().equals(target.name()) || lower.holds(target.name()))
                        .findFirst()
                        .map(GraphDraft.Tier::name)
                        .stream())
                .distinct()
                .toList();
    }

    private TierPlan.Backend backend(GraphDraft.Backend backend) {
        boolean memory = backend.type() == GraphDraft.Type.DRAM;
        long page = backend.pageBytes().orElseGet(() -> effective.get(memory ? Settings.DRAM_PAGE : Settings.SSD_PAGE));
        long most = Math.min(memory ? MAX_DRAM_BYTES : MAX_SSD_BYTES, MAX_PAGES * page);
        long least = memory ? page : MIN_DIRECTORY_BYTES;
        if (backend.type() != GraphDraft.Type.HBM) {
            judge(backend, memory, page, least, most);
        }
        return memory
                ? new TierPlan.Dram(
                        backend.name(), backend.capacityBytes() - backend.capacityBytes() % page, (int) page)
                : new TierPlan.Ssd(
                        backend.name(),
                        backend.directory().orElse(Path.of("")).toAbsolutePath().normalize(),
                        backend.capacityBytes(),
                        (int) page);
    }

    private void judge(GraphDraft.Backend backend, boolean memory, long page, long least, long most) {
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
                            + (most % page == 0 && most / page == MAX_PAGES
                                    ? "less than " + ByteSize.exact(most + page)
                                    : ByteSize.exact(most))
                            + " in pages of " + ByteSize.exact(page));
        }
    }

    private void problem(Setting<?> setting, String text, Setting<?>... others) {
        contradictions.add(setting, text, others);
    }

    private void problem(Origin at, String text) {
        contradictions.add(at, text);
    }
}
