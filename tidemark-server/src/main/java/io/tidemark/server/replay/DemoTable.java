package io.tidemark.server.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;

/** The table of the demo, a column a server. */
final class DemoTable {
    private static final List<Row> ROWS = List.of(
            new Row("requests", c -> count(c.counts().requests()) + " of " + count(c.totalRequests())),
            new Row(
                    "prefix hits",
                    c -> share(c.counts().prefixHits(), c.counts().hitRatio())),
            new Row("  by tier", DemoTable::byTier),
            new Row("prefill tokens saved", c -> count(c.counts().tokensSaved())),
            new Row("bytes moved", c -> gibibytes(c.counts().bytesMoved())),
            new Row("bytes per second", c -> gibibytes(c.bytesPerSecond()) + "/s"),
            new Row("evictions", c -> count(c.server().evicted())),
            new Row("refused puts", c -> count(c.counts().refusedPuts())),
            new Row("failed loads", c -> count(c.counts().failedLoads())),
            new Row("wrong bytes", c -> count(c.counts().wrongBytes())),
            new Row("seconds", c -> String.format(Locale.ROOT, "%.1f", c.seconds())));

    private record Row(String name, Function<DemoColumn, String> cell) {}

    private DemoTable() {}

    /** The lines of the table, its head first. */
    static List<String> lines(List<DemoColumn> columns) {
        List<String> lines = new ArrayList<>();
        lines.add(line("", columns, DemoColumn::name));
        for (Row row : ROWS) {
            lines.add(line(row.name(), columns, row.cell()));
        }
        return lines;
    }

    /** The same for one server in one line, for output that is no terminal. */
    static String progress(DemoColumn column) {
        return String.format(
                Locale.ROOT,
                "%-9s %5.1f s  %s requests  %s prefix hits  %s moved  %s evictions",
                column.name(),
                column.seconds(),
                count(column.counts().requests()),
                count(column.counts().prefixHits()),
                gibibytes(column.counts().bytesMoved()),
                count(column.server().evicted()));
    }

    private static String line(String name, List<DemoColumn> columns, Function<DemoColumn, String> cell) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-22s", name));
        columns.forEach(column -> line.append(String.format(Locale.ROOT, "%20s", cell.apply(column))));
        return line.toString();
    }

    private static String byTier(DemoColumn column) {
        List<String> tiers = new ArrayList<>();
        new TreeMap<>(column.server().hitsByTier()).forEach((tier, hits) -> tiers.add(tier + " " + count(hits)));
        return tiers.isEmpty() ? "-" : String.join(", ", tiers);
    }

    private static String share(long hits, double ratio) {
        return String.format(Locale.ROOT, "%,d (%.1f %%)", hits, 100 * ratio);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String gibibytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / (double) (1 << 30));
    }
}
