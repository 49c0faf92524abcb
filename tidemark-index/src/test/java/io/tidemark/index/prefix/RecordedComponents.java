package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One recorded case with a window or with states: makes its calls and answers in the words of the recording. */
final class RecordedComponents {
    private static final List<Namespace> NAMESPACES = List.of(
            new Namespace(Optional.empty(), Optional.empty()),
            new Namespace(Optional.of("lora-a"), Optional.empty()),
            new Namespace(Optional.empty(), Optional.of("salt-1")),
            new Namespace(Optional.of("lora-a"), Optional.of("salt-1")));

    /** A lock that is held. */
    private record Held(int node, int receipt) {}

    private final boolean windowed;
    private final int capacity;
    private final int componentCapacity;
    private final BitPool pool;
    private final BitPool componentPool;
    private final IntSlots slots;
    private final PrefixTree<int[]> tree;
    private final Map<Integer, Held> held = new HashMap<>();
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<int[]> insertion = new Insertion<>(new int[0]);

    private RecordedComponents(TreeOptions options, int capacity, int componentCapacity) {
        this.windowed = options.components().window() > 0;
        this.capacity = capacity;
        this.componentCapacity = componentCapacity;
        this.pool = new BitPool(capacity);
        this.componentPool = new BitPool(componentCapacity);
        this.slots = new IntSlots(pool);
        TreeServices<int[]> services = TreeServices.deviceOnly(slots)
                .withWindows(new IntSlots(componentPool))
                .withStates(state -> componentPool.free(state, 1));
        this.tree = new PrefixTree<>(options, services);
        NAMESPACES.forEach(tree::namespace);
    }

    /** The tree of a line {@code C page window policy capacity slots seed}. */
    static RecordedComponents begin(String line) {
        String[] words = line.split(" ", -1);
        assertThat(words[0]).isEqualTo("C");
        int window = Integer.parseInt(words[2]);
        TreeOptions options = TreeOptions.DEFAULT
                .withPageSize(Integer.parseInt(words[1]))
                .withComponents(window > 0 ? ComponentOptions.window(window) : ComponentOptions.NONE.withStates())
                .withPolicy(TreePolicy.named(words[3]));
        return new RecordedComponents(options, Integer.parseInt(words[4]), Integer.parseInt(words[5]));
    }

    /** Makes a call; the answer has the words that stand behind the first bar. */
    String call(String asked, String rest) {
        if (asked.equals("S")) {
            tree.sanityCheck();
            return snapshot();
        }
        int[] words = Arrays.stream(asked.split(" ", -1))
                .skip(1)
                .mapToInt(Integer::parseInt)
                .toArray();
        IntStream answer = switch (asked.charAt(0)) {
            case 'I' -> insert(words, tokens(rest));
            case 'M' -> match(words[0], tokens(rest));
            case 'L' -> lock(words[0], words[1], tokens(rest));
            case 'U' -> unlock(words[0]);
            case 'R' -> giveUp(words[0]);
            case 'F' -> evicted(() -> tree.evict(words[0]));
            case 'W' -> evicted(() -> evictComponent(words[0]));
            default -> throw new AssertionError("no such call: " + asked);
        };
        return IntStream.concat(answer, sums()).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    /** At the end of a case nothing is locked and all was evicted. */
    void requireEverythingBack() {
        assertThat(tree.size()).isZero();
        assertThat(List.of(pool.free(), componentPool.free())).containsExactly(capacity, componentCapacity);
    }

    private IntStream insert(int[] words, int[] tokens) {
        int protectedLength = words[1];
        int windowStart = words[2];
        int[] values = new int[tree.units(tokens.length)];
        int[] windows = new int[values.length];
        if (protectedLength > 0) {
            pathSlots(lockedPrefix(words[0], Arrays.copyOf(tokens, protectedLength)), values);
        }
        for (int i = protectedLength; i < values.length; i++) {
            values[i] = pool.take(true);
        }
        for (int i = Math.max(protectedLength, windowStart); windowed && i < values.length; i++) {
            windows[i] = componentPool.take(true);
        }
        int state = windowed ? Insertion.NO_STATE : componentPool.take(true);
        insertion.values(values).windowValues(windows).windowStart(windowStart).state(state);
        insertion.protectedLength(protectedLength).priority(words[3]).countedLength(words[4]);
        tree.insert(key.set(words[0], tokens), insertion);
        if (!windowed && !insertion.stateKept()) {
            componentPool.free(state, 1);
        }
        return IntStream.of(insertion.prefixLength(), insertion.stateKept() ? 1 : 0);
    }

    /** The request locked this prefix, and its first slots are those of its path. */
    private int lockedPrefix(int namespace, int[] prefix) {
        return held.values().stream()
                .map(Held::node)
                .filter(node -> tree.namespaceOf(node) == namespace && Arrays.equals(tree.path(node), prefix))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no lock of the prefix " + Arrays.toString(prefix)));
    }

    private void pathSlots(int node, int[] into) {
        int end = tree.path(node).length;
        for (int at = node; at != PrefixTree.ROOT; at = tree.parent(at)) {
            end -= tree.length(at);
            slots.copy(at, tree.length(at), into, end);
        }
    }

    private IntStream match(int namespace, int[] tokens) {
        tree.match(key.set(namespace, tokens), match);
        return IntStream.of(match.deviceLength(), match.fullLength());
    }

    private IntStream lock(int handle, int namespace, int[] tokens) {
        tree.match(key.set(namespace, tokens), match);
        held.put(handle, new Held(match.deviceNode(), tree.lock(match.deviceNode())));
        return IntStream.of(match.deviceLength());
    }

    private IntStream unlock(int handle) {
        Held lock = held(handle);
        held.remove(handle);
        tree.unlock(lock.node(), lock.receipt());
        return IntStream.empty();
    }

    private IntStream giveUp(int handle) {
        Held lock = held(handle);
        held.put(handle, new Held(lock.node(), tree.releaseComponents(lock.node(), lock.receipt())));
        return IntStream.empty();
    }

    private Held held(int handle) {
        Held lock = held.get(handle);
        if (lock == null) {
            throw new AssertionError("no lock has handle " + handle);
        }
        return lock;
    }

    private IntStream evicted(Runnable eviction) {
        int before = pool.free();
        int componentBefore = componentPool.free();
        eviction.run();
        return IntStream.of(pool.free() - before, componentPool.free() - componentBefore);
    }

    private void evictComponent(int count) {
        if (windowed) {
            tree.evictWindow(count);
        } else {
            tree.evictStates(count);
        }
    }

    private IntStream sums() {
        return IntStream.of(
                (int) tree.evictableUnits(),
                (int) tree.lockedUnits(),
                (int) (windowed ? tree.evictableWindowUnits() : tree.states()),
                (int) tree.lockedWindowUnits(),
                tree.deviceLeaves(),
                tree.size(),
                pool.free(),
                componentPool.free());
    }

    private String snapshot() {
        Map<Integer, List<NodeInfo>> children = tree.dump().stream().collect(Collectors.groupingBy(NodeInfo::parent));
        StringBuilder rows = new StringBuilder();
        append(PrefixTree.ROOT, -1, children, rows, new int[1]);
        return rows.toString();
    }

    private static void append(
            int parent, int parentRow, Map<Integer, List<NodeInfo>> children, StringBuilder rows, int[] count) {
        Comparator<NodeInfo> order = Comparator.comparingInt(NodeInfo::namespace)
                .thenComparing((left, right) -> Arrays.compare(left.tokens(), right.tokens()));
        for (NodeInfo node : children.getOrDefault(parent, Collections.emptyList()).stream()
                .sorted(order)
                .toList()) {
            int row = count[0]++;
            rows.append(row == 0 ? "" : " / ").append(words(node, parentRow));
            append(node.node(), row, children, rows, count);
        }
    }

    private static String words(NodeInfo node, int parentRow) {
        IntStream facts = IntStream.of(
                parentRow,
                node.locks(),
                node.hits(),
                node.priority(),
                node.hasWindow() || node.hasState() ? 1 : 0,
                node.deviceLeaf() ? 1 : 0);
        return IntStream.concat(facts, Arrays.stream(node.tokens()))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }

    private static int[] tokens(String words) {
        return Stream.of(words.split(" ", -1))
                .filter(word -> !word.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
