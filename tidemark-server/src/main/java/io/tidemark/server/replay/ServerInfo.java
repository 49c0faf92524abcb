package io.tidemark.server.replay;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a server tells of itself in {@code INFO}. What it does not tell counts as 0: a server without tiers has nothing to
 * say of demotions.
 *
 * @param evicted copies evicted for capacity since its start
 * @param droppedOnlyCopies last copies lost to failed demotions since its start
 * @param hitsByTier reads answered, by the name of the tier that had the bytes
 */
record ServerInfo(long evicted, long droppedOnlyCopies, Map<String, Long> hitsByTier) {
    private static final String TIER_HITS = "tier_hits_";

    ServerInfo {
        hitsByTier = Map.copyOf(hitsByTier);
    }

    static ServerInfo read(RespConnection server) throws IOException {
        Reply reply = server.call("INFO");
        if (!(reply instanceof Reply.Bulk bulk)) {
            throw new ServerRefusedException("INFO", reply);
        }
        return parse(bulk.text());
    }

    /** What happened between an earlier look and this one. */
    ServerInfo since(ServerInfo before) {
        Map<String, Long> hits = new LinkedHashMap<>();
        hitsByTier.forEach((tier, count) -> hits.put(tier, count - before.hitsByTier.getOrDefault(tier, 0L)));
        return new ServerInfo(evicted - before.evicted, droppedOnlyCopies - before.droppedOnlyCopies, hits);
    }

    static ServerInfo parse(String text) {
        long evicted = 0;
        long dropped = 0;
        Map<String, Long> hits = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? line : line.substring(0, colon);
            if (name.equals("evicted_keys")) {
                evicted = Long.parseLong(line.substring(colon + 1));
            } else if (name.equals("dropped_only_copies")) {
                dropped = Long.parseLong(line.substring(colon + 1));
            } else if (name.startsWith(TIER_HITS)) {
                hits.put(name.substring(TIER_HITS.length()), Long.parseLong(line.substring(colon + 1)));
            }
        }
        return new ServerInfo(evicted, dropped, hits);
    }
}
