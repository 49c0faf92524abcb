package io.tidemark.index.replay;

import java.util.ArrayList;
import java.util.List;

/** A picture as a list of shapes on white paper, the later ones on top; what file it becomes is another class's job. */
record Drawing(int width, int height, List<Shape> shapes) {
    /** Takes shapes of its own. */
    Drawing {
        shapes = List.copyOf(shapes);
    }

    /** Where a text has its place. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** A point of the picture, to the right and downwards. */
    record Point(double x, double y) {}

    /**
     * How a line looks.
     *
     * @param dashes lengths of strokes and gaps in turn, none for a line without gaps
     */
    record Stroke(int rgb, double width, List<Integer> dashes) {
        Stroke(int rgb, double width) {
            this(rgb, width, List.of());
        }
    }

    /** What a picture is made of. */
    sealed interface Shape {}

    /** A straight line. */
    record Line(Point from, Point to, Stroke stroke) implements Shape {}

    /** A line through points. */
    record Curve(List<Point> points, Stroke stroke) implements Shape {}

    /** A rectangle's outline. */
    record Frame(double x, double y, double width, double height, Stroke stroke) implements Shape {}

    /** A full circle. */
    record Dot(Point centre, double radius, int rgb) implements Shape {}

    /**
     * A text in black.
     *
     * @param upright whether it is read from below
     */
    record Text(Point at, Anchor anchor, int size, boolean upright, String text) implements Shape {}

    /** Collects shapes. */
    static final class Pen {
        private final List<Shape> shapes = new ArrayList<>();

        void line(double x1, double y1, double x2, double y2, Stroke stroke) {
            shapes.add(new Line(new Point(x1, y1), new Point(x2, y2), stroke));
        }

        void curve(List<Point> points, Stroke stroke) {
            shapes.add(new Curve(List.copyOf(points), stroke));
        }

        void frame(double x, double y, double width, double height, Stroke stroke) {
            shapes.add(new Frame(x, y, width, height, stroke));
        }

        void dot(double x, double y, double radius, int rgb) {
            shapes.add(new Dot(new Point(x, y), radius, rgb));
        }

        void text(double x, double y, Anchor anchor, int size, String text) {
            shapes.add(new Text(new Point(x, y), anchor, size, false, text));
        }

        void uprightText(double x, double y, int size, String text) {
            shapes.add(new Text(new Point(x, y), Anchor.MIDDLE, size, true, text));
        }

        Drawing drawing(int width, int height) {
            return new Drawing(width, height, shapes);
        }
    }
}
