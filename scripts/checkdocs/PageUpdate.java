import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Writes the output of commands into their pages.
final class PageUpdate {

    private PageUpdate() {}

    /// Replaces outputs without `…`; what the others stand for is for the writer to decide.
    static void write(Path root, List<PageCheck.Update> updates) throws IOException {
        var lastFirst = new ArrayList<>(updates);
        lastFirst.sort(
                Comparator.comparing((PageCheck.Update one) -> one.command().line()).reversed());
        for (var update : lastFirst) {
            var shown = update.command().output().orElseThrow();
            if (shown.stream().anyMatch(line -> line.contains("…"))) {
                continue;
            }
            var file = root.resolve(update.page());
            var lines = new ArrayList<>(Files.readAllLines(file));
            var start = update.command().line() - 1 + (int) update.command().text().lines().count();
            lines.subList(start, start + shown.size()).clear();
            lines.addAll(start, update.output().stripTrailing().lines().toList());
            Files.write(file, lines);
            System.out.println("updated " + update.page() + ":" + (start + 1));
        }
    }
}
