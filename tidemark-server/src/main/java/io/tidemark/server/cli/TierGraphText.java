package io.tidemark.server.cli;

import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TierPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The graph of tiers for people and as JSON. */
final class TierGraphText {
    private TierGraphText() {}

    /** Indented lines: a tier, then its backends. */
    static List<String> lines(TierPlan plan) {
        List<String> lines = new ArrayList<>();
        for (TierPlan.Tier tier : plan.tiers()) {
            lines.add("  " + line(tier));
            tier.members().forEach(member -> lines.add("    " + line(member)));
        }
        return lines;
    }

    /** One line a tier, for the log. */
    static List<String> oneLineEach(TierPlan plan) {
        return plan.tiers().stream()
                .map(tier -> "tier " + line(tier) + "; "
                        + tier.members().stream().map(TierGraphText::line).collect(Collectors.joining("; ")))
                .toList();
    }

    private static String line(TierPlan.Tier tier) {
        return "%s: %s from %s to %s%s%s"
                .formatted(
                        tier.name(),
                        tier.policy(),
                        tier.highMark(),
                        tier.lowMark(),
                        tier.offloadTo().isEmpty() ? "" : ", down to " + String.join(", ", tier.offloadTo()),
                        tier.promotion()
                                .map(rule -> ", up by " + mode(rule) + " after " + rule.hits()
                                        + (rule.hits() == 1 ? " read" : " reads"))
                                .orElse(""));
    }

    private static String line(TierPlan.Member member) {
        TierPlan.Backend backend = member.backend();
        String text = "%s: %s %s, page %s, weight %s"
                .formatted(
                        backend.name(),
                        kind(backend),
                        ByteSize.exact(backend.capacityBytes()),
                        ByteSize.exact(backend.pageBytes()),
                        member.weight() == TierPlan.BY_CAPACITY ? "by capacity" : member.weight());
        return backend instanceof TierPlan.Ssd ssd ? text + ", " + ssd.directory() : text;
    }

    /** One object a tier. */
    static List<Map<String, Object>> objects(TierPlan plan) {
        return plan.tiers().stream().map(TierGraphText::object).toList();
    }

    private static Map<String, Object> object(TierPlan.Tier tier) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", tier.name());
        fields.put("policy", tier.policy());
        fields.put("high_mark", tier.highMark());
        fields.put("low_mark", tier.lowMark());
        fields.put("offload_to", tier.offloadTo());
        fields.put("promote", tier.promotion().map(TierGraphText::mode).orElse("none"));
        tier.promotion().ifPresent(rule -> fields.put("promote_hits", rule.hits()));
        fields.put(
                "backends", tier.members().stream().map(TierGraphText::object).toList());
        return fields;
    }

    private static Map<String, Object> object(TierPlan.Member member) {
        TierPlan.Backend backend = member.backend();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", backend.name());
        fields.put("type", kind(backend));
        fields.put("capacity_bytes", backend.capacityBytes());
        fields.put("page_bytes", backend.pageBytes());
        fields.put("weight", member.weight() == TierPlan.BY_CAPACITY ? "by-capacity" : member.weight());
        if (backend instanceof TierPlan.Ssd ssd) {
            fields.put("directory", ssd.directory().toString());
        }
        return fields;
    }

    private static String mode(TierPlan.Promotion rule) {
        return rule.move() ? "move" : "copy";
    }

    private static String kind(TierPlan.Backend backend) {
        return backend instanceof TierPlan.Dram ? "dram" : "ssd";
    }
}
