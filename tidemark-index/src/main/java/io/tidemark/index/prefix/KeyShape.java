package io.tidemark.index.prefix;

/**
 * How token ids make up keys. The unit of length is a token, or with bigrams a pair of neighbouring tokens, so that
 * {@code n} tokens make {@code n - 1} units and the slices of two nodes in a row share one token.
 *
 * @param pageSize units that are kept or dropped together; every length is a multiple of it
 */
record KeyShape(int pageSize, boolean bigram) {
    KeyShape {
        if (pageSize < 1) {
            throw new IllegalArgumentException("page size must be at least 1, got " + pageSize);
        }
    }

    /** Whole-page units of a key of so many tokens. */
    int units(int tokens) {
        int units = bigram ? Math.max(0, tokens - 1) : tokens;
        return floor(units);
    }

    /** Tokens that so many units cover. */
    int tokens(int units) {
        return units == 0 ? 0 : units + overlap();
    }

    /** Tokens shared by two neighbouring slices. */
    int overlap() {
        return bigram ? 1 : 0;
    }

    /** Tokens that tell the children of a node apart: the first page. */
    int childTokens() {
        return pageSize + overlap();
    }

    /** Whole-page units of a common prefix of so many tokens. */
    int commonUnits(int commonTokens) {
        return floor(Math.max(0, commonTokens - overlap()));
    }

    private int floor(int units) {
        return pageSize == 1 ? units : units / pageSize * pageSize;
    }
}
