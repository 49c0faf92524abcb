package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoTableTest {
    private static final ReplayCounts COUNTS =
            new ReplayCounts(10, 200, 50, 25_600, 150, 0, 0, 0, 3L << 30, 1L << 30, 0);

    @Test
    void everyServerHasAColumnAndEveryRowACell() {
        DemoColumn ours =
                new DemoColumn("tidemark", COUNTS, 20, 2.0, new ServerInfo(1234, 0, Map.of("ssd", 3L, "dram", 47L)));
        DemoColumn theirs = new DemoColumn("redis", COUNTS, 20, 4.0, new ServerInfo(5, 0, Map.of()));
        List<String> lines = DemoTable.lines(List.of(ours, theirs));
        assertThat(lines.getFirst()).containsSubsequence("tidemark", "redis");
        assertThat(lines).anyMatch(line -> line.matches("requests +10 of 20 +10 of 20"));
        assertThat(lines).anyMatch(line -> line.matches("prefix hits +50 \\(25\\.0 %\\) +50 \\(25\\.0 %\\)"));
        assertThat(lines).anyMatch(line -> line.matches(" +by tier +dram 47, ssd 3 +-"));
        assertThat(lines).anyMatch(line -> line.matches("bytes per second +2\\.00 GiB/s +1\\.00 GiB/s"));
        assertThat(lines).anyMatch(line -> line.matches("evictions +1,234 +5"));
    }

    @Test
    void aScreenIsRedrawnInPlace() {
        StringWriter text = new StringWriter();
        LiveScreen screen = new LiveScreen(new PrintWriter(text));
        screen.draw(List.of("a", "b"));
        screen.draw(List.of("c", "d"));
        screen.clear();
        assertThat(text)
                .hasToString("\r\u001b[2Ka\n\r\u001b[2Kb\n\u001b[2A\r\u001b[2Kc\n\r\u001b[2Kd\n\u001b[2A\u001b[J");
    }
}
