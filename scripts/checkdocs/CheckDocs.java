import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// `scripts/check-docs`: runs the commands of README.md and docs/ and compares their output.
final class CheckDocs {

    private static final String USAGE =
            """
            Usage: scripts/check-docs [--long] [--update] [PAGE…]

            Runs the commands in README.md and docs/**/*.md as a user would paste them, and
            compares their output with the pages. The blocks of a page run in one bash in the
            repository, with an empty home directory. Also checks relative links. Exits with 0
            when nothing failed, with 1 otherwise.

              --long    Also run the blocks marked <!-- long: REASON -->, which need root or
                        minutes.
              --update  Write the output of commands into the pages where it differs and the
                        page has no "…".

            How a block is checked:
              lines with "$ " prompts  Each command is run. The lines after it are its output;
                                       "…" stands for any text of a line, and alone for any
                                       number of lines.
              ```bash without prompts  The block is run; no command may fail.
              ```yaml, java, text, …   Not run. After <!-- file: PATH --> it must be a part of
                                       that file.
              <!-- skip: REASON -->    The block that follows is never run.
            """;

    /// Pages that another test runs.
    private static final Map<String, String> OTHER_TESTS =
            Map.of("docs/tutorial/first-driver.md", "scripts/long/tutorial");

    private final Path root = Path.of("").toAbsolutePath();
    private final List<String> pages = new ArrayList<>();
    private boolean isLong;
    private boolean isUpdating;

    private CheckDocs() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(new CheckDocs().run(List.of(arguments)));
    }

    private int run(List<String> arguments) throws Exception {
        for (var argument : arguments) {
            switch (argument) {
                case "--help" -> {
                    System.out.print(USAGE);
                    return 0;
                }
                case "--long" -> isLong = true;
                case "--update" -> isUpdating = true;
                default -> {
                    if (!Files.isRegularFile(root.resolve(argument))) {
                        System.err.println("check-docs: no file " + argument + "; see --help");
                        return 2;
                    }
                    pages.add(argument);
                }
            }
        }
        if (pages.isEmpty()) {
            pages.addAll(allPages());
        }
        return report(checkAll());
    }

    private List<String> allPages() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "examples/README.md"),
                            files.map(file -> root.relativize(file).toString())
                                    .filter(name -> name.endsWith(".md"))
                                    .sorted())
                    .toList();
        }
    }

    /// Checks two pages at a time if each can have a network of its own. Blocks of `--long` may
    // need
    /// the network of the machine.
    private Map<String, PageCheck.Result> checkAll() throws Exception {
        var isIsolated = !isLong && Session.canIsolate();
        var hasKubectl = new ProcessBuilder("sh", "-c", "command -v kubectl >/dev/null");
        var kubectl = hasKubectl.start().waitFor() == 0;
        var results = new LinkedHashMap<String, Future<PageCheck.Result>>();
        try (var threads = Executors.newFixedThreadPool(isIsolated ? 2 : 1)) {
            for (var page : pages) {
                Callable<PageCheck.Result> check =
                        () -> timed(page, newCheck(page, isIsolated, kubectl));
                results.put(page, threads.submit(check));
            }
        }
        var done = new LinkedHashMap<String, PageCheck.Result>();
        for (var entry : results.entrySet()) {
            done.put(entry.getKey(), entry.getValue().get());
        }
        return done;
    }

    private PageCheck newCheck(String page, boolean isIsolated, boolean hasKubectl) {
        var other = Optional.ofNullable(OTHER_TESTS.get(page)).map(test -> "run by " + test);
        return new PageCheck(root, isLong, isIsolated, hasKubectl, other);
    }

    private static PageCheck.Result timed(String page, PageCheck check) throws Exception {
        var start = System.nanoTime();
        var result = check.check(page);
        System.out.printf(
                "%-7s %-32s %2d blocks in %.1f s%n",
                result.failures().isEmpty() ? "ok" : "FAILED",
                page,
                result.run(),
                (System.nanoTime() - start) / 1e9);
        return result;
    }

    private int report(Map<String, PageCheck.Result> results) throws IOException {
        var skipped = results.values().stream().flatMap(one -> one.skipped().stream()).toList();
        var failures = results.values().stream().flatMap(one -> one.failures().stream()).toList();
        var run = results.values().stream().mapToInt(PageCheck.Result::run).sum();
        if (!skipped.isEmpty()) {
            System.out.println("\nSkipped:");
            skipped.forEach(line -> System.out.println("  " + line));
        }
        failures.forEach(failure -> System.out.println("\nFAILED " + failure));
        if (isUpdating) {
            for (var result : results.values()) {
                PageUpdate.write(root, result.updates());
            }
        }
        System.out.printf(
                "%n%d blocks run, %d skipped, %d failed%n", run, skipped.size(), failures.size());
        return failures.isEmpty() ? 0 : 1;
    }
}
