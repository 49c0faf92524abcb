package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A medium that is configured and not there: it has the capacity it was meant to have, holds nothing and refuses everything,
 * with the reason as its illness. Thread-safe.
 */
final class AbsentMedium implements Medium {
    private final SsdOptions options;
    private final Ledger ledger;
    private final CopyTable copies;
    private volatile String why;

    AbsentMedium(SsdOptions options, String why) {
        this.options = options;
        this.why = why;
        ledger = new Ledger(options.capacityBytes());
        copies = new CopyTable(ledger, options.pageBytes(), 1);
    }

    String why() {
        return why;
    }

    /** Another try failed, for this reason. */
    void setWhy(String reason) {
        why = reason;
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public MediumKind kind() {
        return MediumKind.SSD;
    }

    @Override
    public long pageBytes() {
        return options.pageBytes();
    }

    @Override
    public long maxBlockBytes() {
        return options.maxBlockBytes();
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public CopyTable copies() {
        return copies;
    }

    @Override
    public Allocation allocate(long bytes) {
        return new Allocation.Unavailable(why);
    }

    @Override
    public boolean abort(long copy) {
        return false;
    }

    @Override
    public boolean commit(long copy, byte[] key, long generation) {
        return false;
    }

    @Override
    public void read(long copy, long offset, MemorySegment target) throws IOException {
        throw new UnavailableException(name() + " is out of use: " + why);
    }

    @Override
    public void write(long copy, long offset, MemorySegment source) throws IOException {
        throw new UnavailableException(name() + " is out of use: " + why);
    }

    @Override
    public Freed free(Long copy) {
        return Freed.GONE;
    }

    @Override
    public MediumHealth health() {
        return MediumHealth.unhealthy(why);
    }

    @Override
    public void close() {}
}
