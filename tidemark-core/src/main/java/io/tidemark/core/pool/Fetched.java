package io.tidemark.core.pool;

/** What fetching the bytes of a copy to memory came to. */
sealed interface Fetched {
    /** They are there; the receiver is a holder. */
    record Bytes(Staging.Staged staged) implements Fetched {}

    /** Too much is being fetched, or the machine has too little memory for the call: ask again. */
    record Busy() implements Fetched {}

    /** They are not what was written, or cannot be read although the medium works: the copy is of no use. */
    record Damaged() implements Fetched {}

    /** The medium does not work now. */
    record Unavailable() implements Fetched {}
}
