package io.tidemark.server.resp.command;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Every connected client, by id. */
public final class Clients {
    private final ConcurrentHashMap<Long, Client> byId = new ConcurrentHashMap<>();

    /** Adds a client that has connected. */
    public void add(Client client) {
        byId.put(client.id(), client);
    }

    /** Forgets a client that has gone. */
    public void remove(Client client) {
        byId.remove(client.id());
    }

    /** Number of clients connected. */
    public int count() {
        return byId.size();
    }

    /** The clients in order of id. */
    List<Client> all() {
        return byId.values().stream()
                .sorted(Comparator.comparingLong(Client::id))
                .toList();
    }
}
