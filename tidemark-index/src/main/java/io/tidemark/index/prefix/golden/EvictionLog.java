package io.tidemark.index.prefix.golden;

import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TreeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes down what a tree does, as recordings do. With a host tier every step has a tag; without one only victims are
 * written, untagged.
 */
final class EvictionLog implements TreeListener {
    private final boolean tagged;
    private final List<List<Object>> entries = new ArrayList<>();
    private Optional<List<Object>> afterDelete = Optional.empty();
    private Optional<PrefixTree<?>> tree = Optional.empty();

    EvictionLog(boolean tagged) {
        this.tagged = tagged;
    }

    /** Names the tree whose nodes are written down. */
    void attach(PrefixTree<?> owner) {
        tree = Optional.of(owner);
    }

    /** The entries since the last call. */
    List<List<Object>> drain() {
        List<List<Object>> drained = List.copyOf(entries);
        entries.clear();
        return drained;
    }

    @Override
    public void victim(int node) {
        if (tagged) {
            write(node, "v");
        } else {
            write(node);
        }
    }

    @Override
    public void backup(int node, boolean granted) {
        write(node, "bk", granted ? 1L : 0L);
    }

    @Override
    public void demote(int node) {
        write(node, "dem");
    }

    @Override
    public void delete(int node) {
        if (tagged) {
            write(node, "del");
        }
        afterDelete.ifPresent(entries::add);
        afterDelete = Optional.empty();
    }

    @Override
    public void evictHost(int node) {
        write(node, "hev");
    }

    @Override
    public void dropDuplicate(int node) {
        write(node, "dup");
    }

    /** Recordings name the drop after the deletion that it ends with. */
    @Override
    public void dropSubtree(int node, boolean dropped) {
        List<Object> entry = entry(node, "drop", dropped ? 1L : 0L);
        if (dropped) {
            afterDelete = Optional.of(entry);
        } else {
            entries.add(entry);
        }
    }

    private void write(int node, Object... tags) {
        entries.add(entry(node, tags));
    }

    private List<Object> entry(int node, Object... tags) {
        PrefixTree<?> owner = tree.orElseThrow();
        List<Object> entry = new ArrayList<>(List.of(tags));
        entry.add((long) owner.namespaceOf(node));
        entry.add((long) owner.length(node));
        entry.add(GoldenValues.tokens(owner.path(node)));
        return entry;
    }
}
