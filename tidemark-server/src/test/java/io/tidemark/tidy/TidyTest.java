package io.tidemark.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The house numbers and the banned calls, over every module. A failure names the place; there is no list of excuses. */
class TidyTest {
    private static final int METHOD_LINES_MAX = 70;
    private static final int FILE_LINES_MAX = 600;
    private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)#\\s]+)(#[^)]*)?\\)");
    private static final Repository REPOSITORY = Repository.here();

    @Test
    void noFileIsLongerThan600Lines() {
        assertThat(Stream.concat(REPOSITORY.java("main").stream(), REPOSITORY.java("test").stream())
                        .filter(file -> Repository.lines(file).size() > FILE_LINES_MAX)
                        .map(REPOSITORY::name))
                .isEmpty();
    }

    @Test
    void noMethodIsLongerThan70Lines() throws IOException {
        assertThat(longMethods(REPOSITORY.java("main"))).isEmpty();
        assertThat(longMethods(REPOSITORY.java("test"))).isEmpty();
    }

    @Test
    void onlyCommandsWriteToStdout() {
        assertNoLine(
                "main",
                line -> line.contains("System.out"),
                name -> name.contains("/server/cli/") || name.startsWith("tidemark-bench/"));
    }

    @Test
    void nothingSleeps() {
        assertNoLine("main", line -> line.contains("Thread.sleep("), _ -> false);
    }

    @Test
    void everyQueueHasABound() {
        Pattern unbounded = Pattern.compile("new LinkedBlocking(Queue|Deque)(<[^>]*>)?\\(\\)|newCachedThreadPool\\(");
        assertNoLine("main", line -> unbounded.matcher(line).find(), _ -> false);
    }

    @Test
    void nothingIsLeftToDoInTheSource() {
        Pattern marker = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
        assertNoLine("main", line -> marker.matcher(line).find(), _ -> false);
        assertNoLine("test", line -> marker.matcher(line).find(), _ -> false);
    }

    @Test
    void linksBetweenDocumentsResolve() {
        List<String> broken = new ArrayList<>();
        for (Path file : REPOSITORY.files()) {
            if (file.toString().endsWith(".md")) {
                broken.addAll(brokenLinks(file));
            }
        }
        assertThat(broken).isEmpty();
    }

    /** "ADR 12" in a comment is to lead to one document, whose heading says the same number, and the list has it. */
    @Test
    void everyDecisionHasANumberOfItsOwn() {
        List<Path> decisions = REPOSITORY.files().stream()
                .filter(file -> REPOSITORY.name(file).matches("docs/adr/\\d{4}-.*\\.md"))
                .toList();
        List<Integer> numbers =
                decisions.stream().map(TidyTest::decisionNumber).sorted().toList();
        assertThat(numbers).doesNotHaveDuplicates().isNotEmpty();
        List<String> listed = Repository.lines(REPOSITORY.root().resolve("docs/adr/README.md"));
        for (Path decision : decisions) {
            int number = decisionNumber(decision);
            assertThat(Repository.lines(decision).getFirst()).startsWith("# " + number + ". ");
            assertThat(listed)
                    .anyMatch(line -> line.startsWith("- [" + number + ". ")
                            && line.endsWith("(" + decision.getFileName() + ")"));
        }
    }

    private static int decisionNumber(Path decision) {
        return Integer.parseInt(decision.getFileName().toString().substring(0, 4));
    }

    @Test
    void theTestsThatAcceptanceNamesAreThere() {
        Pattern name = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");
        List<String> absent = new ArrayList<>();
        List<String> lines = new ArrayList<>(Repository.lines(REPOSITORY.root().resolve("docs/acceptance.md")));
        lines.addAll(Repository.lines(REPOSITORY.root().resolve("docs/volume-acceptance.md")));
        lines.addAll(Repository.lines(REPOSITORY.root().resolve("docs/prefix-tree-acceptance.md")));
        for (String line : lines) {
            Matcher test = name.matcher(line);
            while (test.find()) {
                String method = test.group(2) == null ? "class " + test.group(1) : "void " + test.group(2) + "(";
                if (!isInTest(test.group(1), method)) {
                    absent.add(test.group());
                }
            }
        }
        assertThat(absent).isEmpty();
    }

    private static boolean isInTest(String testClass, String text) {
        return REPOSITORY.java("test").stream()
                .filter(file -> file.endsWith(testClass + ".java"))
                .flatMap(file -> Repository.lines(file).stream())
                .anyMatch(line -> line.contains(text));
    }

    /** Builds go through the ordinary clients and their settings; a host name in a file would pin one registry. */
    @Test
    void noFileNamesARegistry() {
        List<String> hosts = List.of(
                "repo1.maven" + ".org",
                "repo.maven" + ".apache.org",
                "pypi" + ".org",
                "pythonhosted" + ".org",
                "registry.npmjs" + ".org",
                "docker" + ".io/",
                "ghcr" + ".io/",
                "quay" + ".io/");
        assertThat(REPOSITORY.files().stream()
                        .filter(file -> !REPOSITORY.name(file).startsWith(".mvn/wrapper/")) // the wrapper's own format
                        .filter(file -> Repository.lines(file).stream()
                                .anyMatch(line -> hosts.stream().anyMatch(line::contains)))
                        .map(REPOSITORY::name))
                .isEmpty();
    }

    private static void assertNoLine(String sourceSet, Predicate<String> banned, Predicate<String> allowedFile) {
        List<String> found = new ArrayList<>();
        for (Path file : REPOSITORY.java(sourceSet)) {
            List<String> lines = Repository.lines(file);
            for (int index = 0; index < lines.size(); index++) {
                if (banned.test(lines.get(index)) && !allowedFile.test(REPOSITORY.name(file))) {
                    found.add(REPOSITORY.name(file) + ":" + (index + 1) + ": "
                            + lines.get(index).strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static List<String> brokenLinks(Path document) {
        List<String> broken = new ArrayList<>();
        for (String line : Repository.lines(document)) {
            Matcher link = LINK.matcher(line);
            while (link.find()) {
                String target = link.group(1);
                boolean elsewhere = target.toLowerCase(Locale.ROOT).matches("(https?|mailto):.*");
                if (!elsewhere && !Files.exists(document.resolveSibling(target))) {
                    broken.add(REPOSITORY.name(document) + " -> " + target);
                }
            }
        }
        return broken;
    }

    private static List<String> longMethods(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> found = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, _ -> {}, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new MethodScanner(unit, positions, found).scan(unit, null);
            }
        }
        return found;
    }

    /** Notes the methods of one file that are too long, from the first line of the declaration to the last brace. */
    private static final class MethodScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;

        MethodScanner(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void context) {
            long end = positions.getEndPosition(unit, method);
            if (end >= 0) { // absent for a constructor that the compiler adds
                LineMap lines = unit.getLineMap();
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long length = lines.getLineNumber(end) - first + 1;
                if (length > METHOD_LINES_MAX) {
                    Path file = Path.of(unit.getSourceFile().toUri());
                    found.add(REPOSITORY.name(file) + ":" + first + ": " + method.getName() + " has " + length
                            + " lines");
                }
            }
            return super.visitMethod(method, null);
        }
    }
}
