package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    @Test
    void samplesOfOneNameStandTogetherUnderOneHelp() {
        PrometheusText text = new PrometheusText();
        text.counter("tidemark_b_total", "Things.", 1, "tier", "dram");
        text.gauge("tidemark_a", "Level.", 0.5);
        text.counter("tidemark_b_total", "Things.", 2, "tier", "ssd", "backend", "ssd0");

        assertThat(text.page()).isEqualTo("""
                # HELP tidemark_a Level.
                # TYPE tidemark_a gauge
                tidemark_a 0.5
                # HELP tidemark_b_total Things.
                # TYPE tidemark_b_total counter
                tidemark_b_total{tier="dram"} 1
                tidemark_b_total{tier="ssd",backend="ssd0"} 2
                """);
    }

    @Test
    void valuesAndTextAreWrittenAsTheFormatAsks() {
        PrometheusText text = new PrometheusText();
        text.gauge("tidemark_x", "Back\\slash\nand line.", 1L << 40, "name", "say \"hi\"\n");
        text.gauge("tidemark_y", "y", Double.POSITIVE_INFINITY);
        text.gauge("tidemark_z", "z", Double.NaN);

        assertThat(text.page()).isEqualTo("""
                # HELP tidemark_x Back\\\\slash\\nand line.
                # TYPE tidemark_x gauge
                tidemark_x{name="say \\"hi\\"\\n"} 1099511627776
                # HELP tidemark_y y
                # TYPE tidemark_y gauge
                tidemark_y +Inf
                # HELP tidemark_z z
                # TYPE tidemark_z gauge
                tidemark_z NaN
                """);
    }
}
