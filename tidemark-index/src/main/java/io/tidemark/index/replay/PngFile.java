package io.tidemark.index.replay;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;

/** A drawing as the bytes of a PNG file, two pixels to a unit. Needs no screen, but a font of the system. */
final class PngFile {
    private static final int SCALE = 2;

    private final Graphics2D graphics;

    private PngFile(Graphics2D graphics) {
        this.graphics = graphics;
    }

    static byte[] of(Drawing drawing) throws IOException {
        System.setProperty("java.awt.headless", "true"); // no effect where AWT runs already
        try {
            return encoded(paint(drawing));
        } catch (LinkageError | RuntimeException e) {
            // where fonts or their libraries are missing, AWT fails in either way
            throw new IOException(
                    "no text can be drawn here (" + e.getMessage() + "), install fontconfig and a font", e);
        }
    }

    private static BufferedImage paint(Drawing drawing) {
        BufferedImage image =
                new BufferedImage(drawing.width() * SCALE, drawing.height() * SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            graphics.scale(SCALE, SCALE);
            graphics.setColor(Color.WHITE);
            graphics.fill(new Rectangle2D.Double(0, 0, drawing.width(), drawing.height()));
            drawing.shapes().forEach(new PngFile(graphics)::draw);
        } finally {
            graphics.dispose();
        }
        return image;
    }

    private static byte[] encoded(BufferedImage image) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.setUseCache(false); // no temporary file
        if (!ImageIO.write(image, "png", bytes)) {
            throw new IOException("this Java writes no PNG, expected the module java.desktop");
        }
        return bytes.toByteArray();
    }

    private void draw(Drawing.Shape shape) {
        switch (shape) {
            case Drawing.Line(var from, var to, var stroke) -> {
                use(stroke);
                graphics.draw(new Line2D.Double(from.x(), from.y(), to.x(), to.y()));
            }
            case Drawing.Curve(var points, var stroke) -> {
                use(stroke);
                graphics.draw(path(points));
            }
            case Drawing.Frame(var x, var y, var width, var height, var stroke) -> {
                use(stroke);
                graphics.draw(new Rectangle2D.Double(x, y, width, height));
            }
            case Drawing.Dot(var centre, var radius, var rgb) -> {
                graphics.setColor(new Color(rgb));
                graphics.fill(new Ellipse2D.Double(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius));
            }
            case Drawing.Text text -> text(text);
        }
    }

    private void text(Drawing.Text text) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, text.size());
        double width = font.getStringBounds(text.text(), graphics.getFontRenderContext())
                .getWidth();
        double before = switch (text.anchor()) {
            case START -> 0;
            case MIDDLE -> width / 2;
            case END -> width;
        };
        Graphics2D turned = (Graphics2D) graphics.create();
        try {
            turned.translate(text.at().x(), text.at().y());
            if (text.upright()) {
                turned.rotate(-Math.PI / 2);
            }
            turned.setColor(Color.BLACK);
            turned.setFont(font);
            turned.drawString(text.text(), (float) -before, 0);
        } finally {
            turned.dispose();
        }
    }

    private void use(Drawing.Stroke stroke) {
        graphics.setColor(new Color(stroke.rgb()));
        graphics.setStroke(basic(stroke));
    }

    private static BasicStroke basic(Drawing.Stroke stroke) {
        float width = (float) stroke.width();
        if (stroke.dashes().isEmpty()) {
            return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
        }
        float[] dashes = new float[stroke.dashes().size()];
        for (int i = 0; i < dashes.length; i++) {
            dashes[i] = stroke.dashes().get(i);
        }
        return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
    }

    private static Path2D path(List<Drawing.Point> points) {
        Path2D path = new Path2D.Double();
        for (Drawing.Point point : points) {
            if (path.getCurrentPoint() == null) {
                path.moveTo(point.x(), point.y());
            } else {
                path.lineTo(point.x(), point.y());
            }
        }
        return path;
    }
}
