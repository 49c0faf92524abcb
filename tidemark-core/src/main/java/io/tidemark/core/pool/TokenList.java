package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a session holds, in no order; adding and removing cost a store each. Guarded by the session. */
final class TokenList {
    private static final int LENGTH_MIN = 4;
    private static final int NOWHERE = -1;

    private @Nullable SessionToken[] tokens = new SessionToken[LENGTH_MIN];
    private int size = 0;

    void add(SessionToken token) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, size * 2);
        }
        token.place = size;
        tokens[size++] = token;
    }

    /** Takes a token out, if it is here: the last one takes its place. */
    void remove(SessionToken token) {
        if (token.place == NOWHERE) {
            return;
        }
        SessionToken last = tokens[--size];
        if (last != null) {
            tokens[token.place] = last;
            last.place = token.place;
        }
        tokens[size] = null;
        token.place = NOWHERE;
    }

    boolean isEmpty() {
        return size == 0;
    }

    List<SessionToken> all() {
        List<SessionToken> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(Objects.requireNonNull(tokens[i]));
        }
        return all;
    }
}
