package io.tidemark.index.replay;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Miss-ratio curves as one self-contained SVG: share of references that miss the prefix over the cache size on a
 * logarithmic axis, one line a policy; the offline optimum is black and dashed.
 *
 * <p>Policies are often within a line's width of each other. Of two neighbours in the legend, which goes by the average miss,
 * one is drawn with gaps and on top, so that the other shows through them.
 */
public final class CurvePlot {
    private static final int WIDTH = 1010;
    private static final int HEIGHT = 680;
    private static final int LEFT = 90;
    private static final int TOP = 60;
    private static final int PLOT_WIDTH = 730;
    private static final int PLOT_HEIGHT = 520;
    private static final int Y_STEP_PERCENT = 10;
    private static final String[] COLOURS = {
        "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#e377c2", "#8c564b", "#bcbd22", "#7f7f7f"
    };
    /** Two for each round of the colours: without gaps, and with. */
    private static final String[] DASHES = {"none", "8 6", "16 2", "2 4", "16 2 4 2", "8 2 2 2"};

    /** Labels of sizes that stand closer are left out; their lines stay. */
    private static final double LABEL_WIDTH = 54;

    private final StringBuilder svg = new StringBuilder();
    private final List<CacheResult> results;
    private final double smallest;
    private final double largest;
    private final int lowestPercent;
    private final int highestPercent;

    private CurvePlot(List<CacheResult> results) {
        this.results = results;
        this.smallest = results.stream().mapToInt(CacheResult::blocks).min().orElse(1);
        this.largest =
                Math.max(results.stream().mapToInt(CacheResult::blocks).max().orElse(1), smallest * 2);
        double least =
                results.stream().mapToDouble(CurvePlot::missPercent).min().orElse(0);
        double most = results.stream().mapToDouble(CurvePlot::missPercent).max().orElse(100);
        this.lowestPercent = (int) Math.floor(least / Y_STEP_PERCENT) * Y_STEP_PERCENT;
        this.highestPercent =
                Math.max((int) Math.ceil(most / Y_STEP_PERCENT) * Y_STEP_PERCENT, lowestPercent + Y_STEP_PERCENT);
    }

    /**
     * Draws the results.
     *
     * @param title goes above the plot
     * @return the text of an SVG file
     */
    public static String svg(String title, List<CacheResult> results) {
        return new CurvePlot(List.copyOf(results)).draw(title);
    }

    private String draw(String title) {
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        line("     font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">");
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        text(LEFT + PLOT_WIDTH / 2.0, TOP - 24, "middle", 18, title);
        drawSizes();
        drawPercents();
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"black\"/>",
                LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT);
        drawCurves();
        line("</svg>");
        return svg.toString();
    }

    private void drawSizes() {
        TreeMap<Integer, String> sizes = new TreeMap<>();
        results.forEach(result -> sizes.put(result.blocks(), result.size()));
        double bottom = TOP + PLOT_HEIGHT;
        double labelled = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Integer, String> size : sizes.entrySet()) {
            double x = x(size.getKey());
            line("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>", x, TOP, x, bottom);
            if (x - labelled >= LABEL_WIDTH) {
                labelSize(x, size.getKey(), size.getValue());
                labelled = x;
            }
        }
        text(LEFT + PLOT_WIDTH / 2.0, bottom + 66, "middle", 15, "cache size (share of the unique blocks; blocks)");
    }

    private void labelSize(double x, int blocks, String label) {
        double bottom = TOP + PLOT_HEIGHT;
        boolean inBlocks = label.equals(Integer.toString(blocks));
        text(x, bottom + 20, "middle", 14, inBlocks ? grouped(blocks) : label);
        if (!inBlocks) {
            text(x, bottom + 38, "middle", 12, grouped(blocks));
        }
    }

    private static String grouped(int blocks) {
        return String.format(Locale.ROOT, "%,d", blocks);
    }

    private void drawPercents() {
        for (int percent = lowestPercent; percent <= highestPercent; percent += Y_STEP_PERCENT) {
            double y = y(percent);
            line(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                    LEFT, y, LEFT + PLOT_WIDTH, y);
            text(LEFT - 10, y + 5, "end", 14, percent + " %");
        }
        double middle = TOP + PLOT_HEIGHT / 2.0;
        line(
                "<text x=\"26\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"15\" transform=\"rotate(-90 26 %.1f)\">"
                        + "prefix miss ratio of block references</text>",
                middle, middle);
    }

    private void drawCurves() {
        Map<String, List<CacheResult>> curves = new LinkedHashMap<>();
        results.forEach(result -> curves.computeIfAbsent(result.policy(), policy -> new ArrayList<>())
                .add(result));
        List<String> worstFirst = new ArrayList<>(curves.keySet());
        worstFirst.sort(Comparator.comparingDouble(policy -> -averageMiss(curves.getOrDefault(policy, List.of()))));
        for (boolean gaps : new boolean[] {false, true}) {
            for (int row = 0; row < worstFirst.size(); row++) {
                Style style = style(worstFirst.get(row), row);
                if (style.hasGaps() == gaps) {
                    drawCurve(curves.getOrDefault(worstFirst.get(row), List.of()), style);
                }
            }
        }
        drawLegend(worstFirst);
    }

    private void drawLegend(List<String> worstFirst) {
        double x = LEFT + PLOT_WIDTH + 20.0;
        for (int row = 0; row < worstFirst.size(); row++) {
            double y = TOP + 14 + row * 22.0;
            line(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>",
                    x, y, x + 44, y, style(worstFirst.get(row), row));
            text(x + 54, y + 5, "start", 14, worstFirst.get(row));
        }
    }

    private void drawCurve(List<CacheResult> points, Style style) {
        StringBuilder path = new StringBuilder();
        for (CacheResult point : points.stream()
                .sorted(Comparator.comparingInt(CacheResult::blocks))
                .toList()) {
            double x = x(point.blocks());
            double y = y(missPercent(point));
            path.append(String.format(Locale.ROOT, "%s%.1f,%.1f", path.isEmpty() ? "" : " ", x, y));
            line("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x, y, style.colour());
        }
        line("<polyline points=\"%s\" fill=\"none\" %s/>", path, style);
    }

    private static Style style(String policy, int row) {
        return switch (policy) {
            case "opt" -> new Style("#000000", 3, "9 4");
            case "infinite" -> new Style("#000000", 1, "1 3");
            default -> {
                int round = row / COLOURS.length;
                yield new Style(COLOURS[row % COLOURS.length], 2, DASHES[(2 * round + row % 2) % DASHES.length]);
            }
        };
    }

    private record Style(String colour, int width, String dashes) {
        boolean hasGaps() {
            return !dashes.equals(DASHES[0]);
        }

        @Override
        public String toString() {
            return "stroke=\"" + colour + "\" stroke-width=\"" + width + "\" stroke-dasharray=\"" + dashes + "\"";
        }
    }

    private double x(int blocks) {
        return LEFT + PLOT_WIDTH * Math.log(blocks / smallest) / Math.log(largest / smallest);
    }

    private double y(double percent) {
        return TOP + PLOT_HEIGHT * (highestPercent - percent) / (highestPercent - lowestPercent);
    }

    private static double missPercent(CacheResult result) {
        return 100 * (1 - result.prefixHitRatio());
    }

    private static double averageMiss(List<CacheResult> curve) {
        return curve.stream().mapToDouble(CurvePlot::missPercent).average().orElse(0);
    }

    private void text(double x, double y, String anchor, int size, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>", x, y, anchor, size, escaped);
    }

    @FormatMethod
    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
