package io.tidemark.server;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.pool.CopyInfo;
import io.tidemark.core.pool.EvictionOutcome;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.EvictionResult;
import io.tidemark.core.pool.Pool;
import java.util.List;
import java.util.Optional;

/**
 * Answer of {@code /api/v1/evict}.
 *
 * @param reason why nothing was evicted; empty when something was
 */
record Evicted(String outcome, long bytesFreed, Optional<String> reason) {
    static Evicted of(Pool pool, EvictionRequest request, EvictionResult result) {
        Optional<String> reason = result.outcome() == EvictionOutcome.NONE
                ? Optional.of(reason(pool.where(request.key()).stream()
                        .filter(copy -> request.tier().map(copy.tier()::equals).orElse(true))
                        .filter(copy ->
                                request.backend().map(copy.backend()::equals).orElse(true))
                        .toList()))
                : Optional.empty();
        return new Evicted(result.outcome().name(), result.bytesFreed(), reason);
    }

    /** As the copies are now, a moment after the try. */
    private static String reason(List<CopyInfo> copies) {
        if (copies.isEmpty()) {
            return "missing: no such copy";
        }
        if (copies.stream().anyMatch(copy -> copy.pins() > 0)) {
            return "pinned: somebody reads it";
        }
        return copies.stream().allMatch(copy -> copy.state() == CopyState.COMMITTED)
                ? "leased: looked up a moment ago, and the last copy"
                : "moving: it is on its way to another tier";
    }
}
