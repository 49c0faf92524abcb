package io.tidemark.index.prefix;

/**
 * What surrounds a {@link PrefixTree}.
 *
 * @param slots keeps the values of nodes
 * @param room tells how much the device's allocator has left
 * @param host the host tier's allocator
 * @param transfers moves values between the tiers
 * @param listener hears of evictions and backups
 * @param windows keeps the window values of nodes
 * @param states gets recurrent states back
 * @param <V> the values of a request
 */
public record TreeServices<V>(
        SlotTable<V> slots,
        DeviceRoom room,
        HostTier host,
        Transfers transfers,
        TreeListener listener,
        SlotTable<V> windows,
        StatePool states) {
    /** A tree over the device alone, whose allocator is asked for nothing. */
    public static <V> TreeServices<V> deviceOnly(SlotTable<V> slots) {
        return new TreeServices<>(
                slots,
                () -> 0,
                new CountedHost(0),
                NoTransfers.INSTANCE,
                TreeListener.NONE,
                new NoSlots<>(),
                state -> {});
    }

    /** These services with another listener. */
    public TreeServices<V> withListener(TreeListener value) {
        return new TreeServices<>(slots, room, host, transfers, value, windows, states);
    }

    /** These services with another view of the device's allocator. */
    public TreeServices<V> withRoom(DeviceRoom value) {
        return new TreeServices<>(slots, value, host, transfers, listener, windows, states);
    }

    /** These services with a host tier. */
    public TreeServices<V> withHost(HostTier tier, Transfers transfer) {
        return new TreeServices<>(slots, room, tier, transfer, listener, windows, states);
    }

    /** These services with an owner of window values. */
    public TreeServices<V> withWindows(SlotTable<V> value) {
        return new TreeServices<>(slots, room, host, transfers, listener, value, states);
    }

    /** These services with an owner of recurrent states. */
    public TreeServices<V> withStates(StatePool value) {
        return new TreeServices<>(slots, room, host, transfers, listener, windows, value);
    }

    /** Keeps nothing: for trees without a window, and for callers that only count. */
    private record NoSlots<V>() implements NothingKept<V> {}

    /** Stands where there is no host tier to move anything to. */
    private enum NoTransfers implements Transfers {
        INSTANCE;

        @Override
        public void write(int node) {
            throw new IllegalStateException("no host tier: cannot write node " + node);
        }

        @Override
        public void load(int node) {
            throw new IllegalStateException("no host tier: cannot load node " + node);
        }

        @Override
        public void awaitWrites() {}
    }
}
