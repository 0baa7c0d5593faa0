package dev.berth.app.conformance;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Runs the cases of JSON Lines files through a suite and prints the differences.
final class ConformanceRun {

    private final Suite suite;
    private final PrintWriter out;
    private int passed;
    private int failed;

    ConformanceRun(Suite suite, PrintWriter out) {
        this.suite = suite;
        this.out = out;
    }

    /// Runs all files; true when every case passed and there was at least one.
    boolean run(List<Path> files) throws IOException {
        for (var file : files) {
            run(file);
        }
        out.println(passed + " passed, " + failed + " failed");
        out.flush();
        return failed == 0 && passed > 0;
    }

    private void run(Path file) throws IOException {
        try (var lines = Files.newBufferedReader(file)) {
            var number = 0;
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    runCase(file + ":" + number, line);
                }
            }
        }
    }

    private void runCase(String place, String line) {
        var recorded = read(line);
        if (recorded.isEmpty()) {
            fail(place, "a case: one JSON object on a line", line);
            return;
        }
        var name = place + " " + recorded.get().text("name");
        try {
            var absent = suite.absent(recorded.get());
            if (absent.isPresent()) {
                out.println("ABSENT  " + name + ": " + absent.get());
                return;
            }
            suite.compare(recorded.get())
                    .ifPresentOrElse(
                            difference -> fail(name, difference.expected(), difference.actual()),
                            () -> passed++);
        } catch (RuntimeException e) {
            // A failing case does not end the run.
            fail(name, "an answer", "an exception: " + e);
        }
    }

    private static Optional<JsonObject> read(String line) {
        return JsonReader.read(line) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? Optional.of(object)
                : Optional.empty();
    }

    private void fail(String name, String expected, String actual) {
        failed++;
        out.println("FAILED  " + name);
        out.println("  expected: " + expected.replace("\n", "\n            "));
        out.println("  actual:   " + actual.replace("\n", "\n            "));
    }
}
