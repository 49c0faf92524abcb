package io.tidemark.index.prefix;

/** The owner of recurrent states, which are numbers to the tree. */
public interface StatePool {
    /** The state is free again. */
    void free(int state);
}
