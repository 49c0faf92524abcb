package io.tidemark.core.pool;

/** Where a copy is, in seven bits: number of its backend, and which part of the block it holds. */
final class Place {
    /** No copy. */
    static final int NONE = -1;

    private Place() {}

    static int of(int backend, int part) {
        return (backend << 1) | part;
    }

    static int backend(int place) {
        return place >> 1;
    }

    static int part(int place) {
        return place & 1;
    }
}
