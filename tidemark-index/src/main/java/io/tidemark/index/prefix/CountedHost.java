package io.tidemark.index.prefix;

/** A host tier that only counts, for simulators and for stores that keep host slots themselves. */
public final class CountedHost implements HostTier {
    private final long capacityUnits;
    private long freeUnits;

    /** An empty tier of so many units. */
    public CountedHost(long capacityUnits) {
        this.capacityUnits = capacityUnits;
        this.freeUnits = capacityUnits;
    }

    @Override
    public long freeUnits() {
        return freeUnits;
    }

    @Override
    public boolean reserve(int node, int length) {
        if (length > freeUnits) {
            return false;
        }
        freeUnits -= length;
        return true;
    }

    @Override
    public void split(int prefix, int suffix, int at) {}

    @Override
    public void release(int node, int length) {
        freeUnits += length;
        if (freeUnits > capacityUnits) {
            throw new IllegalStateException(freeUnits + " units free in a host tier of " + capacityUnits);
        }
    }

    @Override
    public void clear() {
        freeUnits = capacityUnits;
    }
}
