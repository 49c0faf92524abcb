package io.tidemark.index.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class CurvePlotTest {
    @Test
    void everyPolicyHasACurveAndALegendEntryInsideThePicture() throws Exception {
        Document svg = parse(CurvePlot.svg("a <trace> & more", results("lru", "opt", "infinite", "gdsf+np")));
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(4);
        assertThat(texts(svg)).contains("a <trace> & more", "lru", "opt", "infinite", "gdsf+np", "5%", "50 %", "914");
        NodeList circles = svg.getElementsByTagName("circle");
        assertThat(circles.getLength()).isEqualTo(8);
        for (int i = 0; i < circles.getLength(); i++) {
            assertThat(number(circles, i, "cx")).isBetween(90.0, 820.0);
            assertThat(number(circles, i, "cy")).isBetween(60.0, 580.0);
        }
    }

    @Test
    void oneSizeAndNoSizeDrawToo() throws Exception {
        assertThat(parse(CurvePlot.svg("one", results("lru").subList(0, 1)))
                        .getElementsByTagName("circle")
                        .getLength())
                .isEqualTo(1);
        assertThat(parse(CurvePlot.svg("none", List.of()))
                        .getElementsByTagName("polyline")
                        .getLength())
                .isZero();
    }

    @Test
    void curvesThatCoincideShowThroughEachOther() throws Exception {
        NodeList lines = parse(CurvePlot.svg("same", results("aaa", "bbb"))).getElementsByTagName("polyline");
        assertThat(attribute(lines, 0, "points")).isEqualTo(attribute(lines, 1, "points"));
        assertThat(attribute(lines, 0, "stroke-dasharray")).isEqualTo("none");
        assertThat(attribute(lines, 1, "stroke-dasharray")).as("on top").isNotEqualTo("none");
    }

    @Test
    void labelsOfSizesDoNotOverlap() throws Exception {
        List<CacheResult> results = new ArrayList<>();
        for (int percent = 1; percent <= 50; percent++) {
            results.add(result("lru", percent + "%", percent * 1_000, percent));
        }
        NodeList texts = parse(CurvePlot.svg("sizes", results)).getElementsByTagName("text");
        double before = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < texts.getLength(); i++) {
            if (texts.item(i).getTextContent().matches("\\d+%")) {
                assertThat(number(texts, i, "x") - before).isGreaterThan(50);
                before = number(texts, i, "x");
            }
        }
        assertThat(before).as("there are some").isPositive();
    }

    @Test
    void twentyPoliciesAreToldApartByColourAndDashes() throws Exception {
        String[] names = new String[20];
        for (int i = 0; i < names.length; i++) {
            names[i] = "p" + i;
        }
        NodeList lines = parse(CurvePlot.svg("many", results(names))).getElementsByTagName("polyline");
        List<String> styles = new ArrayList<>();
        for (int i = 0; i < lines.getLength(); i++) {
            styles.add(attribute(lines, i, "stroke") + attribute(lines, i, "stroke-dasharray"));
        }
        assertThat(styles).doesNotHaveDuplicates().hasSize(20);
    }

    @Test
    void aLongLegendMakesThePictureLonger() throws Exception {
        String[] names = new String[40];
        for (int i = 0; i < names.length; i++) {
            names[i] = "p" + i;
        }
        Document svg = parse(CurvePlot.svg("many", results(names)));
        double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
        NodeList texts = svg.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++) {
            assertThat(number(texts, i, "y")).isLessThan(height);
        }
    }

    @Test
    void aPngHasTheCurvesOfTheSvgInTheirColours() throws Exception {
        List<CacheResult> results = results("lru", "gdsf+np");
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(CurvePlot.png("png", results)));
        NodeList dots = parse(CurvePlot.svg("png", results)).getElementsByTagName("circle");
        assertThat(dots.getLength()).isEqualTo(4);
        for (int i = 0; i < dots.getLength(); i++) {
            int colour = Integer.decode(attribute(dots, i, "fill"));
            int x = (int) Math.round(number(dots, i, "cx") * 2);
            int y = (int) Math.round(number(dots, i, "cy") * 2);
            // the last point of a curve is at the frame, which is below it
            assertThat(picture.getRGB(x, y) & 0xffffff)
                    .as("dot %d at %d, %d", i, x, y)
                    .isEqualTo(colour);
        }
        assertThat(inked(picture, 40, 0, 1700, 100)).as("the title").isTrue();
        assertThat(inked(picture, 30, 300, 60, 800))
                .as("the text beside the axis")
                .isTrue();
        assertThat(inked(picture, 1780, 100, 2010, 200)).as("the legend").isTrue();
    }

    private static boolean inked(BufferedImage picture, int left, int top, int right, int bottom) {
        for (int x = left; x < right; x++) {
            for (int y = top; y < bottom; y++) {
                if ((picture.getRGB(x, y) & 0xffffff) != 0xffffff) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<CacheResult> results(String... policies) {
        List<CacheResult> results = new ArrayList<>();
        for (String policy : policies) {
            results.add(result(policy, "1%", 914, 300 + policy.length()));
            results.add(result(policy, "5%", 4570, 500 + policy.length()));
        }
        return results;
    }

    private static CacheResult result(String policy, String size, int blocks, int hits) {
        return new CacheResult(policy, size, blocks, 1000, hits, hits, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty());
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document svg) {
        NodeList nodes = svg.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    private static double number(NodeList nodes, int index, String name) {
        return Double.parseDouble(attribute(nodes, index, name));
    }

    private static String attribute(NodeList nodes, int index, String name) {
        return nodes.item(index).getAttributes().getNamedItem(name).getNodeValue();
    }
}
