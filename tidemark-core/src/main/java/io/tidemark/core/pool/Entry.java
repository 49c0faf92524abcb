package io.tidemark.core.pool;

/** An entry at hand: valid while its stripe's lock is held. */
record Entry(EntryStripe stripe, int row) {
    EntryRows rows() {
        return stripe.rows;
    }

    /** Id of the entry, as the owner of its copies. */
    int id() {
        return stripe.entryId(row);
    }

    byte[] key() {
        return stripe.key(row);
    }
}
