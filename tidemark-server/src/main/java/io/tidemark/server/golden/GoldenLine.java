package io.tidemark.server.golden;

import io.tidemark.index.prefix.HostOptions;
import io.tidemark.index.prefix.TreePolicy;
import io.tidemark.index.prefix.WritePolicy;
import io.tidemark.index.prefix.golden.GoldenCase;
import io.tidemark.index.prefix.golden.GoldenHeader;
import io.tidemark.index.prefix.golden.GoldenHost;
import io.tidemark.index.prefix.golden.GoldenOp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** One line of a recording: the start of a case, a call with its result, or the end of a case. */
sealed interface GoldenLine {
    /** The only format that is known. */
    int FORMAT = 1;

    /** The calls that are known, for people. */
    String CALLS = "ins, mat, lck, lb, unl, evi, evh, ackw, ackl, opn, rel, reg, rst, snap";

    /** A new cache with these settings. */
    record Start(GoldenHeader header) implements GoldenLine {}

    /** A call and what it answered. */
    record Call(GoldenOp op, Map<String, Object> result) implements GoldenLine {}

    /** The case is over after so many calls. */
    record End(long ops) implements GoldenLine {}

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException naming what is missing or wrong
     */
    static GoldenLine of(JsonNode line) {
        if (!line.isObject()) {
            throw new IllegalArgumentException("no object: expected {\"hdr\": ...}, {\"t\": ...} or {\"end\": ...}");
        }
        if (line.has("hdr")) {
            return new Start(header(line.get("hdr")));
        }
        if (line.has("end")) {
            return new End(number(line, "end"));
        }
        JsonNode result = require(line, "r");
        if (!result.isObject()) {
            throw new IllegalArgumentException("field 'r' is no object, expected the recorded result");
        }
        return new Call(op(line), map(result));
    }

    private static GoldenHeader header(JsonNode header) {
        if (!header.isObject()) {
            throw new IllegalArgumentException("field 'hdr' is no object, expected the settings of a case");
        }
        long format = number(header, "fmt");
        if (format != FORMAT) {
            throw new IllegalArgumentException("format " + format + " is unknown, expected " + FORMAT);
        }
        return new GoldenHeader(
                policy(header),
                flag(header, "session"),
                pageSize(header),
                number(header, "cap"),
                flag(header, "eagle"),
                flag(header, "events"),
                header.has("host") ? Optional.of(host(header.get("host"))) : Optional.empty());
    }

    private static int pageSize(JsonNode header) {
        int size = integer(header, "page");
        if (size < 1) {
            throw new IllegalArgumentException("field 'page' is " + size + ", expected a page size of 1 or more");
        }
        return size;
    }

    private static int namespace(JsonNode line) {
        int namespace = integer(line, "n");
        if (namespace < 0 || namespace >= GoldenCase.NAMESPACES.size()) {
            throw new IllegalArgumentException(
                    "field 'n' is " + namespace + ", expected a namespace, 0 to " + (GoldenCase.NAMESPACES.size() - 1));
        }
        return namespace;
    }

    private static TreePolicy policy(JsonNode header) {
        JsonNode arguments = header.path("cfg");
        TreePolicy policy = TreePolicy.named(text(header, "policy"));
        return switch (policy) {
            case TreePolicy.Slru(int hits) -> new TreePolicy.Slru(integer(arguments, "protected_threshold", hits));
            case TreePolicy.Tlru(int threshold, int estimate) ->
                new TreePolicy.Tlru(
                        integer(arguments, "threshold", threshold),
                        integer(arguments, "next_prompt_estimate", estimate));
            default -> policy;
        };
    }

    private static GoldenHost host(JsonNode host) {
        WritePolicy policy = writePolicy(text(host, "policy"));
        return new GoldenHost(
                new HostOptions(policy, integer(host, "wt_threshold"), integer(host, "lb_threshold")),
                number(host, "cap"));
    }

    private static WritePolicy writePolicy(String name) {
        List<String> known = new ArrayList<>();
        for (WritePolicy policy : WritePolicy.values()) {
            String recorded = policy.name().toLowerCase(Locale.ROOT);
            if (recorded.equals(name)) {
                return policy;
            }
            known.add(recorded);
        }
        throw new IllegalArgumentException(
                "write policy '" + name + "' is unknown, expected one of " + String.join(", ", known));
    }

    private static GoldenOp op(JsonNode line) {
        String type = text(line, "t");
        return switch (type) {
            case "ins" ->
                new GoldenOp.Insert(
                        namespace(line),
                        tokens(line),
                        integer(line, "p", 0),
                        integer(line, "pv", 0),
                        integer(line, "il", 0));
            case "mat" -> new GoldenOp.Match(namespace(line), tokens(line));
            case "lck" -> new GoldenOp.Lock(namespace(line), tokens(line), number(line, "h"));
            case "lb" -> new GoldenOp.Load(namespace(line), tokens(line));
            case "unl" -> new GoldenOp.Unlock(number(line, "h"));
            case "evi" -> new GoldenOp.Evict(number(line, "x"));
            case "evh" -> new GoldenOp.EvictHost(number(line, "x"));
            case "ackw" -> new GoldenOp.CompleteWrites(number(line, "x"));
            case "ackl" -> new GoldenOp.CompleteLoads(number(line, "x"));
            case "opn" -> new GoldenOp.OpenSession(text(line, "sid"));
            case "rel" -> new GoldenOp.Release(text(line, "sid"));
            case "reg" ->
                new GoldenOp.Register(
                        text(line, "sid"), line.has("g") ? OptionalLong.of(number(line, "g")) : OptionalLong.empty());
            case "rst" -> new GoldenOp.Reset();
            case "snap" -> new GoldenOp.Snapshot();
            default -> throw new IllegalArgumentException("call '" + type + "' is unknown, expected one of " + CALLS);
        };
    }

    private static int[] tokens(JsonNode line) {
        JsonNode array = require(line, "k");
        if (!array.isArray()) {
            throw new IllegalArgumentException("field 'k' is no list, expected token ids");
        }
        int[] tokens = new int[array.size()];
        for (int i = 0; i < tokens.length; i++) {
            JsonNode token = array.get(i);
            if (!token.isIntegralNumber() || token.asLong() >>> Integer.SIZE != 0) {
                throw new IllegalArgumentException("token " + token + " is no unsigned 32-bit number");
            }
            tokens[i] = (int) token.asLong();
        }
        return tokens;
    }

    private static Map<String, Object> map(JsonNode object) {
        Map<String, Object> map = new LinkedHashMap<>();
        object.properties().forEach(field -> map.put(field.getKey(), value(field.getValue())));
        return map;
    }

    private static Object value(JsonNode node) {
        if (node.isArray()) {
            List<Object> list = new ArrayList<>(node.size());
            node.forEach(element -> list.add(value(element)));
            return list;
        }
        if (node.isNull()) {
            return Optional.empty();
        }
        if (node.isIntegralNumber()) {
            return node.asLong();
        }
        if (node.isString()) {
            return node.asString();
        }
        throw new IllegalArgumentException("value " + node + " is neither a whole number, text, a list nor null");
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = require(node, field);
        if (!value.isString()) {
            throw new IllegalArgumentException("field '" + field + "' is " + value + ", expected a text");
        }
        return value.asString();
    }

    private static long number(JsonNode node, String field) {
        JsonNode value = require(node, field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("field '" + field + "' is " + value + ", expected a whole number");
        }
        return value.asLong();
    }

    private static int integer(JsonNode node, String field) {
        long value = number(node, field);
        if (value != (int) value) {
            throw new IllegalArgumentException("field '" + field + "' is " + value + ", expected at most 31 bits");
        }
        return (int) value;
    }

    private static int integer(JsonNode node, String field, int otherwise) {
        return node.has(field) ? integer(node, field) : otherwise;
    }

    private static boolean flag(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value != null && !value.isBoolean()) {
            throw new IllegalArgumentException("field '" + field + "' is " + value + ", expected true or false");
        }
        return value != null && value.asBoolean();
    }

    private static JsonNode require(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null) {
            throw new IllegalArgumentException("field '" + field + "' is missing");
        }
        return value;
    }
}
