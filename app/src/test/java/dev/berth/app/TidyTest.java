package dev.berth.app;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// Checks of line, method and file lengths, package comments and unfinished work in all sources.
class TidyTest {

    private static final int MAX_COLUMNS = 100;
    private static final int MAX_METHOD_LINES = 50;
    private static final int MAX_FILE_LINES = 400;

    /// Without `package-info.java`.
    private static final int MAX_PACKAGE_FILES = 40;

    @Test
    void linesHaveAtMostOneHundredColumns() throws IOException {
        assertThat(everyLine(line -> line.codePointCount(0, line.length()) > MAX_COLUMNS))
                .isEmpty();
    }

    @Test
    void filesHaveAtMostFourHundredLines() throws IOException {
        var tooLong = new ArrayList<String>();
        for (var file : sources("")) {
            var lines = Files.readAllLines(file).size();
            if (lines > MAX_FILE_LINES) {
                tooLong.add(SourceFiles.relative(file) + ": " + lines + " lines");
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void packagesHaveAtMostFortyFiles() {
        var counts =
                sources("src/main/java").stream()
                        .filter(file -> !file.endsWith("package-info.java"))
                        .collect(groupingBy(file -> parent(file), TreeMap::new, counting()));
        counts.values().removeIf(count -> count <= MAX_PACKAGE_FILES);
        assertThat(counts).isEmpty();
    }

    private static String parent(Path file) {
        var path = SourceFiles.relative(file);
        return path.substring(0, path.lastIndexOf('/'));
    }

    @Test
    void methodsHaveAtMostFiftyLines() throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var tooLong = new ArrayList<String>();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var units = files.getJavaFileObjectsFromPaths(sources(""));
            var task = (JavacTask) compiler.getTask(null, files, null, null, null, units);
            for (var unit : task.parse()) {
                new MethodLengths(task, unit, tooLong).scan(unit, null);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void everyPackageHasAComment() throws IOException {
        var missing = new ArrayList<String>();
        for (var file : sources("src/main/java")) {
            var about = file.resolveSibling("package-info.java");
            if (!Files.exists(about) || !Files.readString(about).startsWith("///")) {
                missing.add(SourceFiles.relative(about));
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void noUnfinishedWorkIsLeftBehind() throws IOException {
        var words = List.of("TO" + "DO", "FIX" + "ME", "X" + "XX");
        assertThat(everyLine(line -> words.stream().anyMatch(line::contains))).isEmpty();
    }

    /// Delays that double are those of `model.workqueue.Backoff`. The packages of the scheduler
    /// have the back-off of kube-scheduler.
    @Test
    void onlyBackoffDoublesDelays() throws IOException {
        var doubling = Pattern.compile("multipliedBy\\((2|1L? <<)");
        var found = new ArrayList<String>();
        for (var file : sources("src/main/java")) {
            if (!SourceFiles.relative(file).contains("/schedule/")
                    && doubling.matcher(Files.readString(file)).find()) {
                found.add(SourceFiles.relative(file));
            }
        }
        assertThat(found).isEmpty();
    }

    private static List<String> everyLine(Function<String, Boolean> isBad) throws IOException {
        var bad = new ArrayList<String>();
        for (var file : sources("")) {
            var lines = Files.readAllLines(file);
            for (var i = 0; i < lines.size(); i++) {
                if (isBad.apply(lines.get(i))) {
                    bad.add(SourceFiles.relative(file) + ":" + (i + 1));
                }
            }
        }
        return bad;
    }

    private static List<Path> sources(String below) {
        return SourceFiles.withSuffix(".java").stream()
                .filter(file -> file.toString().contains(below))
                .toList();
    }

    private static final class MethodLengths extends TreeScanner<Void, Void> {

        private final Trees trees;
        private final CompilationUnitTree unit;
        private final List<String> tooLong;

        MethodLengths(JavacTask task, CompilationUnitTree unit, List<String> tooLong) {
            this.trees = Trees.instance(task);
            this.unit = unit;
            this.tooLong = tooLong;
        }

        @Override
        public Void visitMethod(MethodTree method, Void ignored) {
            var body = method.getBody();
            if (body == null) {
                return super.visitMethod(method, null);
            }
            var positions = trees.getSourcePositions();
            var lines = unit.getLineMap();
            var start = lines.getLineNumber(positions.getStartPosition(unit, body));
            var endAt = positions.getEndPosition(unit, body);
            var length = endAt < 0 ? 0 : lines.getLineNumber(endAt) - start + 1;
            if (length > MAX_METHOD_LINES) {
                tooLong.add(
                        unit.getSourceFile().getName()
                                + ":"
                                + start
                                + " "
                                + method.getName()
                                + " has "
                                + length
                                + " lines");
            }
            return super.visitMethod(method, null);
        }
    }
}
