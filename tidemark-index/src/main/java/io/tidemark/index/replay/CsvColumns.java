package io.tidemark.index.replay;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The header of a CSV file of uses, and what its rows say: one use each. A value holds no comma; an empty one says nothing. */
final class CsvColumns {
    /** Columns by the names that a header gives them. */
    private enum Column {
        TIME,
        CLIENT,
        BATCH,
        OP,
        KEY,
        SIZE,
        PARENT,
        TAIL,
        TTL;

        private String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Map<String, UseKind> KINDS = Map.ofEntries(
            Map.entry("hit", UseKind.HIT),
            Map.entry("get", UseKind.MISS), // a put behind it is the same use, if one follows
            Map.entry("miss", UseKind.MISS),
            Map.entry("put", UseKind.PUT),
            Map.entry("set", UseKind.PUT),
            Map.entry("touch", UseKind.TOUCH),
            Map.entry("lookup", UseKind.SEEN),
            Map.entry("delete", UseKind.DELETE),
            Map.entry("expire", UseKind.EXPIRE),
            Map.entry("clear", UseKind.CLEAR));

    private final String where;
    private final Map<Column, Integer> at;
    private final Map<String, Integer> keys = new HashMap<>();
    private final Map<String, Integer> clients = new HashMap<>();
    private final Map<Long, String> lastBatch = new HashMap<>();

    private CsvColumns(String where, Map<Column, Integer> at) {
        this.where = where;
        this.at = at;
    }

    /** The columns, where the line is a header: one that has a column {@code key}. */
    static Optional<CsvColumns> of(String line, String where, long number) throws TraceFormatException {
        List<String> titles = Arrays.stream(line.split(",", -1))
                .map(title -> title.strip().toLowerCase(Locale.ROOT))
                .toList();
        if (!titles.contains(Column.KEY.title())) {
            return Optional.empty();
        }
        Map<Column, Integer> at = new EnumMap<>(Column.class);
        for (int i = 0; i < titles.size(); i++) {
            String title = titles.get(i);
            Column column = Arrays.stream(Column.values())
                    .filter(known -> known.title().equals(title))
                    .findFirst()
                    .orElseThrow(() -> new TraceFormatException(
                            where, number, 1, "unknown column '" + title + "', expected some of " + known()));
            if (at.put(column, i) != null) {
                throw new TraceFormatException(where, number, 1, "column '" + title + "' twice, expected it once");
            }
        }
        return Optional.of(new CsvColumns(where, at));
    }

    private static String known() {
        return Arrays.stream(Column.values()).map(Column::title).collect(Collectors.joining(", "));
    }

    /** The use of one row. */
    Use use(String line, long number) throws TraceFormatException {
        String[] fields = line.split(",", -1);
        if (fields.length != at.size()) {
            throw new TraceFormatException(
                    where, number, 1, fields.length + " values, expected " + at.size() + " as in the header");
        }
        UseKind kind = kind(text(fields, Column.OP), number);
        Optional<String> key = text(fields, Column.KEY);
        if (key.isEmpty() && kind != UseKind.CLEAR) {
            throw new TraceFormatException(where, number, column(fields, Column.KEY), "no key, expected one");
        }
        long client = text(fields, Column.CLIENT)
                        .map(name -> clients.computeIfAbsent(name, unseen -> clients.size()))
                        .orElse(-1)
                + 1L;
        long micros = Math.round(decimal(fields, Column.TIME, number) * 1_000);
        return new Use(
                micros,
                client,
                kind,
                joins(client, text(fields, Column.BATCH).orElse("")),
                key.map(this::id).orElse(BlockId.NONE),
                text(fields, Column.PARENT).map(this::id),
                (long) decimal(fields, Column.SIZE, number),
                tail(text(fields, Column.TAIL), number),
                text(fields, Column.TTL).isEmpty() ? Use.NO_TTL : (long) decimal(fields, Column.TTL, number));
    }

    private UseKind kind(Optional<String> op, long number) throws TraceFormatException {
        if (op.isEmpty()) {
            return UseKind.MISS;
        }
        UseKind kind = KINDS.get(op.get().toLowerCase(Locale.ROOT));
        if (kind == null) {
            throw new TraceFormatException(
                    where,
                    number,
                    1,
                    "unknown op '" + op.get() + "', expected one of "
                            + KINDS.keySet().stream().sorted().collect(Collectors.joining(", ")));
        }
        return kind;
    }

    private boolean tail(Optional<String> text, long number) throws TraceFormatException {
        return switch (text.orElse("0")) {
            case "0" -> false;
            case "1" -> true;
            default -> throw new TraceFormatException(where, number, 1, "tail '" + text.get() + "', expected 0 or 1");
        };
    }

    /** Whether the row goes on with the batch of the client's row before. */
    private boolean joins(long client, String batch) {
        return batch.equals(lastBatch.put(client, batch)) && !batch.isEmpty();
    }

    private BlockId id(String key) {
        return new BlockId(keys.computeIfAbsent(key, unseen -> keys.size()), 1);
    }

    private Optional<String> text(String[] fields, Column column) {
        Integer index = at.get(column);
        return index == null
                ? Optional.empty()
                : Optional.of(fields[index].strip()).filter(text -> !text.isEmpty());
    }

    private double decimal(String[] fields, Column column, long number) throws TraceFormatException {
        Optional<String> text = text(fields, column);
        if (text.isEmpty()) {
            return 0;
        }
        try {
            double value = Double.parseDouble(text.get());
            if (value >= 0 && value <= 1L << 52) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw (TraceFormatException) badNumber(fields, column, number).initCause(e);
        }
        throw badNumber(fields, column, number);
    }

    private TraceFormatException badNumber(String[] fields, Column column, long number) {
        return new TraceFormatException(
                where,
                number,
                column(fields, column),
                column.title() + " '" + text(fields, column).orElse("") + "', expected a number of at least 0");
    }

    /** Column of the text at which a value begins, from 1. */
    private int column(String[] fields, Column column) {
        int before = at.getOrDefault(column, 0);
        return 1
                + Arrays.stream(fields)
                        .limit(before)
                        .mapToInt(field -> field.length() + 1)
                        .sum();
    }
}
