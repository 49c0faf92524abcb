package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives every pair of extra key and cache salt a small number; keys of different namespaces never match. */
final class Namespaces {
    /** The namespace without extra key and salt. */
    static final int PLAIN = 0;

    private final Map<Namespace, Integer> ids = new HashMap<>();
    private final List<Namespace> byId = new ArrayList<>();

    Namespaces() {
        id(new Namespace(Optional.empty(), Optional.empty()));
    }

    int id(Namespace namespace) {
        Integer known = ids.get(namespace);
        if (known != null) {
            return known;
        }
        int id = byId.size();
        ids.put(namespace, id);
        byId.add(namespace);
        return id;
    }

    Namespace get(int id) {
        return byId.get(id);
    }

    /** Throws unless the number was given out by {@link #id}. */
    void require(int id) {
        if (id < 0 || id >= byId.size()) {
            throw new IllegalArgumentException("unknown namespace " + id + ", " + byId.size() + " are known");
        }
    }
}
