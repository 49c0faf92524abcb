package io.tidemark.index.replay;

import io.tidemark.testing.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The recorded integers of {@code golden/replay}: one case a policy and size. */
final class GoldenReplay {
    /** One recorded outcome. */
    record Case(String policy, String size, Map<String, Long> integers) {
        @Override
        public String toString() {
            return policy + " " + size;
        }

        boolean isTiers() {
            return policy.startsWith("tier:");
        }
    }

    private static final Pattern MEMBER = Pattern.compile("\\s*\"(.+?)\": (\\{|(\\d+),?)\\s*");
    private static final Pattern SIZE = Pattern.compile("\\d+%(:\\d+%)?");

    private GoldenReplay() {}

    /** Reads the file, which has one member a line. */
    static List<Case> read(String trace) throws IOException {
        List<Case> cases = new ArrayList<>();
        String policy = "";
        Map<String, Long> integers = new LinkedHashMap<>();
        for (String line : Files.readAllLines(SharedData.require("golden/replay/" + trace + ".json"))) {
            Matcher member = MEMBER.matcher(line);
            if (!member.matches()) {
                continue;
            }
            String name = member.group(1);
            if (!member.group(2).equals("{")) {
                integers.put(name, Long.parseLong(member.group(3)));
            } else if (SIZE.matcher(name).matches()) {
                integers = new TreeMap<>();
                cases.add(new Case(policy, name, integers));
            } else {
                policy = name;
            }
        }
        return cases;
    }

    /** The simulator's integers under the recorded names. */
    static Map<String, Long> integers(SimulationResult result) {
        Map<String, Long> integers = new TreeMap<>();
        integers.put("refs", result.references());
        integers.put("prefix_hits", result.prefixHits());
        switch (result) {
            case CacheResult one -> {
                integers.put("capacity", (long) one.blocks());
                integers.put("block_hits", one.blockHits());
                integers.put("imm_hits", one.immediateHits());
                integers.put("inserts", one.inserts());
                integers.put("evictions", one.evictions());
                integers.put("work_saved", one.workSaved());
                integers.put("work_total", one.workTotal());
                integers.put("miss_p50", (long) one.missP50());
                integers.put("miss_p90", (long) one.missP90());
                integers.put("miss_p95", (long) one.missP95());
                integers.put("miss_p99", (long) one.missP99());
            }
            case TierResult two -> {
                integers.put("dram", (long) two.dramBlocks());
                integers.put("ssd", (long) two.ssdBlocks());
                integers.put("dram_hits", two.dramHits());
                integers.put("ssd_hits", two.ssdHits());
                integers.put("inserts", two.inserts());
                integers.put("demotions", two.demotions());
                integers.put("dropped_from_dram", two.droppedFromDram());
                integers.put("dropped_from_ssd", two.droppedFromSsd());
            }
        }
        return integers;
    }
}
