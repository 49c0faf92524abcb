package io.tidemark.core.medium;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** System calls of one device that failed, by what they were to do. Thread-safe. */
final class IoErrors {
    /** What a call was to do. */
    private enum Kind {
        READ,
        WRITE,
        SYNC,
        OTHER
    }

    private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

    IoErrors() {
        for (Kind kind : Kind.values()) {
            counts.put(kind, new LongAdder());
        }
    }

    void count(SysException e) {
        Kind kind = switch (e.call()) {
            case "pread" -> Kind.READ;
            case "pwrite", "pwritev" -> Kind.WRITE;
            case "fdatasync" -> Kind.SYNC;
            default -> Kind.OTHER;
        };
        counts.getOrDefault(kind, new LongAdder()).increment();
    }

    /** Counts by kind, in lower case. */
    Map<String, Long> byKind() {
        Map<String, Long> shown = new TreeMap<>();
        counts.forEach((kind, count) -> shown.put(kind.name().toLowerCase(Locale.ROOT), count.sum()));
        return shown;
    }
}
