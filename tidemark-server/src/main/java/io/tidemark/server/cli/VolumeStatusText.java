package io.tidemark.server.cli;

import io.tidemark.core.volume.AgeShare;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.volume.AgeBars;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The status of a volume evictor as lines for people, made from its JSON. */
final class VolumeStatusText {
    private VolumeStatusText() {}

    static List<String> lines(JsonNode status) {
        List<String> lines = new ArrayList<>();
        status.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode value = field.getValue();
            switch (name) {
                case "usage" -> lines.add("usage: " + usage(value));
                case "ages" -> lines.addAll(AgeBars.lines(bars(value)));
                case "removed_bytes", "would_remove_bytes" -> lines.add(name + ": " + ByteSize.rounded(value.asLong()));
                default -> lines.add(name + ": " + (value.asString().isEmpty() ? "none" : value.asString()));
            }
        });
        return lines;
    }

    private static String usage(JsonNode usage) {
        long inodes = usage.path("total_inodes").asLong();
        return String.format(
                Locale.ROOT,
                "%.2f %% (%s of %s%s)",
                usage.path("percent").asDouble(),
                ByteSize.rounded(usage.path("used_bytes").asLong()),
                ByteSize.rounded(usage.path("total_bytes").asLong()),
                inodes == 0 ? "" : "; inodes " + usage.path("used_inodes").asLong() + " of " + inodes);
    }

    private static List<AgeShare> bars(JsonNode ages) {
        return ages.valueStream()
                .map(bar -> new AgeShare(
                        bar.path("from_seconds").asLong(),
                        bar.path("to_seconds").asLong(Long.MAX_VALUE),
                        bar.path("bytes").asLong()))
                .toList();
    }
}
