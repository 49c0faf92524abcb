package io.tidemark.core.medium;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/**
 * A process that uses an SSD medium until it is killed, and says on standard output what it was answered: {@code put KEY
 * GENERATION} after a put, {@code going KEY 0} before a delete or eviction, {@code delete KEY GENERATION} after a delete.
 */
final class SsdWriterMain {
    private SsdWriterMain() {}

    /** Arguments: directory, seed, generation to go on from. */
    public static void main(String[] args) throws Exception {
        SsdHarness harness = new SsdHarness(Path.of(args[0]));
        Random random = new Random(Long.parseLong(args[1]));
        harness.generation = Long.parseLong(args[2]);
        harness.stored.putAll(harness.readRecovered());
        while (true) {
            String key = "key-" + random.nextInt(60);
            if (random.nextInt(5) == 0 && harness.stored.containsKey(key)) {
                say("going " + key + " 0");
                long generation = harness.generationOf(key);
                harness.delete(key);
                say("delete " + key + " " + generation);
            } else if (harness.put(key, 1 + random.nextInt(12_000))) {
                say("put " + key + " " + harness.generation);
            } else {
                String victim = harness.stored.firstKey();
                say("going " + victim + " 0");
                harness.evict(victim);
            }
        }
    }

    private static void say(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
