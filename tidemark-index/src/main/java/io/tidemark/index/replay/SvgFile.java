package io.tidemark.index.replay;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;
import java.util.stream.Collectors;

/** A drawing as the text of one self-contained SVG file. */
final class SvgFile {
    private final StringBuilder svg = new StringBuilder();

    private SvgFile() {}

    static String of(Drawing drawing) {
        SvgFile file = new SvgFile();
        int width = drawing.width();
        int height = drawing.height();
        file.line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"",
                width, height, width, height);
        file.line("     font-family=\"Helvetica, Arial, sans-serif\">");
        file.line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
        drawing.shapes().forEach(file::draw);
        file.line("</svg>");
        return file.svg.toString();
    }

    private void draw(Drawing.Shape shape) {
        switch (shape) {
            case Drawing.Line(var from, var to, var stroke) ->
                line(
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>",
                        from.x(), from.y(), to.x(), to.y(), stroke(stroke));
            case Drawing.Curve(var points, var stroke) ->
                line(
                        "<polyline points=\"%s\" fill=\"none\" %s/>",
                        points.stream()
                                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()))
                                .collect(Collectors.joining(" ")),
                        stroke(stroke));
            case Drawing.Frame(var x, var y, var width, var height, var stroke) ->
                line(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" %s/>",
                        x, y, width, height, stroke(stroke));
            case Drawing.Dot(var centre, var radius, var rgb) ->
                line(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>",
                        centre.x(), centre.y(), radius, colour(rgb));
            case Drawing.Text text -> text(text);
        }
    }

    private void text(Drawing.Text text) {
        double x = text.at().x();
        double y = text.at().y();
        String anchor = text.anchor().name().toLowerCase(Locale.ROOT);
        String turned = text.upright() ? String.format(Locale.ROOT, " transform=\"rotate(-90 %.1f %.1f)\"", x, y) : "";
        String escaped = text.text().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        line(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>%s</text>",
                x, y, anchor, text.size(), turned, escaped);
    }

    private static String stroke(Drawing.Stroke stroke) {
        String dashes = stroke.dashes().isEmpty()
                ? "none"
                : stroke.dashes().stream().map(String::valueOf).collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "stroke=\"%s\" stroke-width=\"%.1f\" stroke-dasharray=\"%s\"",
                colour(stroke.rgb()),
                stroke.width(),
                dashes);
    }

    private static String colour(int rgb) {
        return String.format(Locale.ROOT, "#%06x", rgb);
    }

    @FormatMethod
    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
