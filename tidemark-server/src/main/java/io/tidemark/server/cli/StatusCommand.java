package io.tidemark.server.cli;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.PoolStatus;
import io.tidemark.server.ServerStatus;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark status}. */
@Command(name = "status", description = "Shows what a running server holds and where it can be reached.")
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Mixin
    private RunningServer server;

    @Override
    public Integer call() {
        ServerStatus status = Json.read(server.get("/api/v1/status"), ServerStatus.class);
        if (output.json()) {
            output.object(status);
            return 0;
        }
        Duration uptime = Duration.ofSeconds((long) status.uptimeSeconds());
        output.text("tidemark %s, process %d, %s for %d:%02d:%02d"
                .formatted(
                        status.server().version(),
                        status.server().pid(),
                        status.phase(),
                        uptime.toHours(),
                        uptime.toMinutesPart(),
                        uptime.toSecondsPart()));
        output.text("redis   " + String.join(" ", status.server().redis()) + " "
                + String.join(" ", status.server().sockets()));
        output.text("http    " + status.server().http());
        PoolStatus pool = status.pool();
        output.text("blocks  %d (reservations %d, pins %d, leases %d, waiting for space %d)"
                .formatted(pool.blocks(), pool.reservations(), pool.pins(), pool.leases(), pool.spaceWaiters()));
        output.text("hits    " + hits(status.hits(), status.misses()));
        backends(pool.backends());
        return 0;
    }

    /** The share of keys that were there, of all that look-ups and reads asked for since the start. */
    static String hits(long hits, long misses) {
        long all = hits + misses;
        return all == 0
                ? "nothing was asked for yet"
                : String.format(Locale.ROOT, "%.1f%% of %d keys asked for were there", 100.0 * hits / all, all);
    }

    private void backends(List<BackendStatus> backends) {
        int tiers = width(backends, BackendStatus::tier, "tier");
        int names = width(backends, BackendStatus::backend, "backend");
        String line = "%-" + tiers + "s  %-" + names + "s  %-6s %6s %10s %10s %10s %10s %9s %9s";
        output.text(line.formatted(
                "tier",
                "backend",
                "kind",
                "fill",
                "capacity",
                "resident",
                "reserved",
                "doomed",
                "copies",
                "evictable"));
        for (BackendStatus backend : backends) {
            long used = backend.residentBytes() + backend.reservedBytes() + backend.doomedBytes();
            output.text(line.formatted(
                    backend.tier(),
                    backend.backend(),
                    backend.kind(),
                    String.format(Locale.ROOT, "%.1f%%", 100.0 * used / backend.capacityBytes()),
                    ByteSize.rounded(backend.capacityBytes()),
                    ByteSize.rounded(backend.residentBytes()),
                    ByteSize.rounded(backend.reservedBytes()),
                    ByteSize.rounded(backend.doomedBytes()),
                    backend.copies(),
                    backend.evictable()));
        }
        backends.stream()
                .filter(backend -> !backend.illness().isEmpty())
                .forEach(backend -> output.text(backend.backend() + " is out of use: " + backend.illness()));
    }

    /** Names are free, so the columns are as wide as the longest. */
    private static int width(List<BackendStatus> backends, Function<BackendStatus, String> name, String head) {
        int longest = backends.stream()
                .mapToInt(backend -> name.apply(backend).length())
                .max()
                .orElse(0);
        return Math.max(head.length(), longest);
    }
}
