package io.tidemark.index.prefix;

/** What a component says of where a match may end. Counts along a path: every thread that matches has its own. */
interface MatchRule {
    /** A match starts at the root. */
    void begin();

    /** Whether the match may end at the node, of which {@code length} units matched; asked once a node, downwards. */
    boolean accepts(int node, int length);
}
