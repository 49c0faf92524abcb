package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where settings of paths lead: absolute, also where a path was given from the working directory or follows from others. */
public final class Places {
    private Places() {}

    /** The value of a setting as it is in effect. */
    public static String text(Setting<?> setting, Effective effective, TidemarkConfig config) {
        Path state = config.stateDir();
        if (effective.isDefault(setting)) {
            return switch (setting.key()) {
                case "state-dir" -> absolute(state);
                case "redis.socket" -> absolute(state.resolve(StatePath.REDIS_SOCKET));
                case "ssd.directories" -> directories(config.tiers());
                default -> effective.given(setting).text();
            };
        }
        return switch (effective.find(setting).orElse(null)) {
            case Path path -> absolute(path);
            case List<?> paths
            when setting.equals(Settings.SSD_DIRECTORIES) ->
                paths.stream().map(path -> absolute((Path) path)).collect(Collectors.joining(","));
            case null, default -> effective.given(setting).text();
        };
    }

    private static String directories(TierPlan tiers) {
        return tiers.backends()
                .flatMap(backend -> backend instanceof TierPlan.Ssd ssd
                        ? Stream.of(absolute(ssd.directory()))
                        : Stream.<String>empty())
                .collect(Collectors.joining(","));
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }
}
