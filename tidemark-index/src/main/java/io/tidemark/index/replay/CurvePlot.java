package io.tidemark.index.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Miss-ratio curves as one picture: share of references that miss the prefix over the cache size on a logarithmic axis,
 * one line a policy; the offline optimum is black and dashed.
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
    private static final int BOTTOM = TOP + PLOT_HEIGHT;
    private static final int LEGEND_TOP = TOP + 14;
    private static final int LEGEND_STEP = 22;
    private static final int Y_STEP_PERCENT = 10;
    private static final int BLACK = 0;
    private static final Drawing.Stroke GRID = new Drawing.Stroke(0xdddddd, 1);
    private static final int[] COLOURS = {
        0x1f77b4, 0xd62728, 0x2ca02c, 0x9467bd, 0xff7f0e, 0x17becf, 0xe377c2, 0x8c564b, 0xbcbd22, 0x7f7f7f
    };
    /** Two for each round of the colours: without gaps, and with. */
    private static final List<List<Integer>> DASHES =
            List.of(List.of(), List.of(8, 6), List.of(16, 2), List.of(2, 4), List.of(16, 2, 4, 2), List.of(8, 2, 2, 2));

    /** Labels of sizes that stand closer are left out; their lines stay. */
    private static final double LABEL_WIDTH = 54;

    private final Drawing.Pen pen = new Drawing.Pen();
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
        return SvgFile.of(new CurvePlot(List.copyOf(results)).draw(title));
    }

    /**
     * Draws the results.
     *
     * @param title goes above the plot
     * @return the bytes of a PNG file
     * @throws IOException when no text can be drawn here, since there is no font
     */
    public static byte[] png(String title, List<CacheResult> results) throws IOException {
        return PngFile.of(new CurvePlot(List.copyOf(results)).draw(title));
    }

    private Drawing draw(String title) {
        text(LEFT + PLOT_WIDTH / 2.0, TOP - 24, Drawing.Anchor.MIDDLE, 18, title);
        drawSizes();
        drawPercents();
        pen.frame(LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT, new Drawing.Stroke(BLACK, 1));
        int rows = drawCurves();
        return pen.drawing(WIDTH, Math.max(HEIGHT, LEGEND_TOP + rows * LEGEND_STEP));
    }

    private void drawSizes() {
        TreeMap<Integer, String> sizes = new TreeMap<>();
        results.forEach(result -> sizes.put(result.blocks(), result.size()));
        double labelled = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Integer, String> size : sizes.entrySet()) {
            double x = x(size.getKey());
            pen.line(x, TOP, x, BOTTOM, GRID);
            if (x - labelled >= LABEL_WIDTH) {
                labelSize(x, size.getKey(), size.getValue());
                labelled = x;
            }
        }
        text(
                LEFT + PLOT_WIDTH / 2.0,
                BOTTOM + 66,
                Drawing.Anchor.MIDDLE,
                15,
                "cache size (share of the unique blocks; blocks)");
    }

    private void labelSize(double x, int blocks, String label) {
        boolean inBlocks = label.equals(Integer.toString(blocks));
        text(x, BOTTOM + 20, Drawing.Anchor.MIDDLE, 14, inBlocks ? grouped(blocks) : label);
        if (!inBlocks) {
            text(x, BOTTOM + 38, Drawing.Anchor.MIDDLE, 12, grouped(blocks));
        }
    }

    private static String grouped(int blocks) {
        return String.format(Locale.ROOT, "%,d", blocks);
    }

    private void drawPercents() {
        for (int percent = lowestPercent; percent <= highestPercent; percent += Y_STEP_PERCENT) {
            double y = y(percent);
            pen.line(LEFT, y, LEFT + PLOT_WIDTH, y, GRID);
            text(LEFT - 10, y + 5, Drawing.Anchor.END, 14, percent + " %");
        }
        pen.uprightText(26, TOP + PLOT_HEIGHT / 2.0, 15, "prefix miss ratio of block references");
    }

    /** Answers how many there are. */
    private int drawCurves() {
        Map<String, List<CacheResult>> curves = new LinkedHashMap<>();
        results.forEach(result -> curves.computeIfAbsent(result.policy(), policy -> new ArrayList<>())
                .add(result));
        List<String> worstFirst = new ArrayList<>(curves.keySet());
        worstFirst.sort(Comparator.comparingDouble(policy -> -averageMiss(curves.getOrDefault(policy, List.of()))));
        for (boolean gaps : new boolean[] {false, true}) {
            for (int row = 0; row < worstFirst.size(); row++) {
                Drawing.Stroke stroke = stroke(worstFirst.get(row), row);
                if (stroke.dashes().isEmpty() != gaps) {
                    drawCurve(curves.getOrDefault(worstFirst.get(row), List.of()), stroke);
                }
            }
        }
        drawLegend(worstFirst);
        return worstFirst.size();
    }

    private void drawLegend(List<String> worstFirst) {
        double x = LEFT + PLOT_WIDTH + 20.0;
        for (int row = 0; row < worstFirst.size(); row++) {
            double y = LEGEND_TOP + row * (double) LEGEND_STEP;
            pen.line(x, y, x + 44, y, stroke(worstFirst.get(row), row));
            text(x + 54, y + 5, Drawing.Anchor.START, 14, worstFirst.get(row));
        }
    }

    private void drawCurve(List<CacheResult> results, Drawing.Stroke stroke) {
        List<Drawing.Point> points = results.stream()
                .sorted(Comparator.comparingInt(CacheResult::blocks))
                .map(result -> new Drawing.Point(x(result.blocks()), y(missPercent(result))))
                .toList();
        points.forEach(point -> pen.dot(point.x(), point.y(), 2.5, stroke.rgb()));
        pen.curve(points, stroke);
    }

    private static Drawing.Stroke stroke(String policy, int row) {
        return switch (policy) {
            case "opt" -> new Drawing.Stroke(BLACK, 3, List.of(9, 4));
            case "infinite" -> new Drawing.Stroke(BLACK, 1, List.of(1, 3));
            default -> {
                int round = row / COLOURS.length;
                yield new Drawing.Stroke(
                        COLOURS[row % COLOURS.length], 2, DASHES.get((2 * round + row % 2) % DASHES.size()));
            }
        };
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

    private void text(double x, double y, Drawing.Anchor anchor, int size, String text) {
        pen.text(x, y, anchor, size, text);
    }
}
