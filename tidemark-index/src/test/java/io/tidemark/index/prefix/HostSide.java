package io.tidemark.index.prefix;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.function.IntConsumer;

/** A tree with a host tier, small pools and transfers that wait; writes down whatever it does and answers. */
final class HostSide implements TreeListener, Transfers {
    private static final int DEVICE_UNITS = 100;

    /** A lock of a host copy that is held. */
    private record HostLocked(int node, int receipt) {}

    private final PrefixTree<CountedSlots> tree;
    private final CountedHost host;
    private final Queue<Integer> writes = new ArrayDeque<>();
    private final Queue<Integer> loads = new ArrayDeque<>();
    private final List<Integer> locked = new ArrayList<>();
    private final List<HostLocked> hostLocked = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);

    HostSide(TreeOptions options, long hostUnits, TreeParts.LeafSetsFactory leafSets) {
        host = new CountedHost(hostUnits);
        TreeServices<CountedSlots> services = TreeServices.deviceOnly(CountedSlots.SLOTS)
                .withListener(this)
                .withRoom(this::deviceFree)
                .withHost(host, this);
        tree = new PrefixTree<>(options, services, leafSets);
    }

    /** Makes the step's call and answers what happened. */
    List<String> step(TreeStep step) {
        Random random = step.arguments();
        log.clear();
        switch (step.kind()) {
            case INSERT -> insert(random);
            case MATCH -> match(random);
            case LOCK -> {
                match(random);
                if (locked.size() < 6) {
                    tree.lock(match.deviceNode());
                    locked.add(match.deviceNode());
                } else if (hostLocked.size() < 3 && match.hostLength() > 0) {
                    hostLocked.add(new HostLocked(match.bestNode(), tree.lockHost(match.bestNode())));
                }
            }
            case UNLOCK -> unlockOne(random);
            case EVICT -> say("evicted", tree.evict(1 + random.nextInt(30)));
            case EVICT_HOST -> say("evicted host", tree.evictHost(1 + random.nextInt(20)));
            case WRITES_DONE -> complete(writes, random.nextInt(4), tree::writeDone);
            case LOADS_DONE -> complete(loads, random.nextInt(3), tree::loadDone);
            case LOAD -> {
                match(random);
                LoadBack outcome = tree.loadBack(match.bestNode());
                log.add("load " + outcome);
            }
            case EVICT_WINDOW, EVICT_STATES, RELEASE_COMPONENTS -> {}
            case OPEN -> say("opened", tree.openSession(session(random)));
            case RELEASE -> tree.releaseSession(session(random));
            case REGISTER -> {
                String session = session(random);
                match(random);
                tree.registerSession(session, tree.ensureSession(session), match.bestNode());
            }
        }
        log.add("device " + tree.evictableUnits() + "/" + tree.lockedUnits() + "/" + tree.deviceLeaves() + ", host "
                + tree.hostLeaves() + "/" + host.freeUnits() + ", nodes " + tree.size());
        tree.sanityCheck();
        return List.copyOf(log);
    }

    /** Completes and releases everything, then evicts both tiers: the complete order. */
    List<String> finish() {
        log.clear();
        complete(writes, Integer.MAX_VALUE, tree::writeDone);
        complete(loads, Integer.MAX_VALUE, tree::loadDone);
        while (!locked.isEmpty() || !hostLocked.isEmpty()) {
            unlockOne(new Random(0));
        }
        say("evicted", tree.evict(Integer.MAX_VALUE));
        complete(writes, Integer.MAX_VALUE, tree::writeDone);
        say("evicted host", tree.evictHost(Integer.MAX_VALUE));
        tree.sanityCheck();
        say("left", tree.size());
        return List.copyOf(log);
    }

    private void insert(Random random) {
        int[] tokens = TreeStep.tokens(random);
        if (deviceFree() < tokens.length) {
            say("made room", tree.evictUntilFree(tokens.length));
        }
        insertion.priority(random.nextInt(3)).countedLength(random.nextInt(4) > 0 ? 0 : random.nextInt(20));
        if (deviceFree() >= tokens.length) {
            tree.insert(key.set(0, tokens), insertion);
            say("inserted", insertion.prefixLength());
            say("duplicates", insertion.duplicates());
        }
    }

    private void match(Random random) {
        tree.match(key.set(0, TreeStep.tokens(random)), match);
        say("matched", match.deviceLength());
        say("on host", match.hostLength());
    }

    private void unlockOne(Random random) {
        if (!locked.isEmpty() && (hostLocked.isEmpty() || random.nextBoolean())) {
            int index = random.nextInt(locked.size());
            tree.unlock(locked.get(index));
            locked.subList(index, index + 1).clear();
        } else if (!hostLocked.isEmpty()) {
            HostLocked lock = hostLocked.removeFirst();
            tree.unlockHost(lock.node(), lock.receipt());
        }
    }

    private long deviceFree() {
        return DEVICE_UNITS - tree.evictableUnits() - tree.lockedUnits();
    }

    private void say(String what, long number) {
        log.add(what + " " + number);
    }

    private void step(String what, int node) {
        log.add(what + " " + Arrays.toString(tree.path(node)));
    }

    private static String session(Random random) {
        return "s" + random.nextInt(4);
    }

    private static void complete(Queue<Integer> queue, int count, IntConsumer done) {
        for (int i = 0; i < count && !queue.isEmpty(); i++) {
            done.accept(queue.remove());
        }
    }

    @Override
    public void write(int node) {
        writes.add(node);
    }

    @Override
    public void load(int node) {
        loads.add(node);
    }

    @Override
    public void awaitWrites() {
        complete(writes, Integer.MAX_VALUE, tree::writeDone);
    }

    @Override
    public void victim(int node) {
        step("victim", node);
    }

    @Override
    public void backup(int node, boolean granted) {
        step(granted ? "backup" : "no backup", node);
    }

    @Override
    public void demote(int node) {
        step("demote", node);
    }

    @Override
    public void delete(int node) {
        step("delete", node);
    }

    @Override
    public void evictHost(int node) {
        step("evict host", node);
    }

    @Override
    public void dropDuplicate(int node) {
        step("drop duplicate", node);
    }

    @Override
    public void dropSubtree(int node, boolean dropped) {
        step(dropped ? "drop subtree" : "keep subtree", node);
    }
}
