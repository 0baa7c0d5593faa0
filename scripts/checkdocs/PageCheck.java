import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs the blocks of one page in one shell.
final class PageCheck {

    /// The result of a page.
    ///
    /// @param run the number of blocks that were run
    /// @param skipped the blocks that were not run, with their reasons
    /// @param failures descriptions of the blocks that failed
    /// @param updates outputs that differ and can replace those of the page
    record Result(int run, List<String> skipped, List<String> failures, List<Update> updates) {}

    /// The output that a command printed, to be written into its page.
    record Update(String page, Command command, String output) {}

    /// The expected output of commands for which the page shows none.
    private static final List<String> ANYTHING = List.of("…");

    private static final int MAX_REPORTED_LINES = 40;

    private final Path root;
    private final boolean isLong;
    private final boolean isIsolated;
    private final boolean hasKubectl;
    private final Optional<String> skipReason;
    private final List<String> skipped = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Update> updates = new ArrayList<>();
    private int run;

    PageCheck(
            Path root,
            boolean isLong,
            boolean isIsolated,
            boolean hasKubectl,
            Optional<String> skipReason) {
        this.root = root;
        this.isLong = isLong;
        this.isIsolated = isIsolated;
        this.hasKubectl = hasKubectl;
        this.skipReason = skipReason;
    }

    Result check(String page) throws IOException, InterruptedException {
        failures.addAll(Links.broken(root, page));
        var commands = new ArrayList<Block>();
        for (var block : new PageReader(root).blocks(page)) {
            if (isToBeRun(block)) {
                commands.add(block);
            }
        }
        if (!commands.isEmpty()) {
            try (var session = Session.open(root, isIsolated)) {
                runBlocks(commands, session);
            }
        }
        return new Result(run, skipped, failures, updates);
    }

    private void runBlocks(List<Block> blocks, Session session)
            throws IOException, InterruptedException {
        for (var i = 0; i < blocks.size(); i++) {
            run++;
            if (!runBlock(blocks.get(i), session)) {
                var left = blocks.size() - i - 1;
                if (left > 0) {
                    skip(
                            blocks.get(i),
                            "failed, so the %d blocks after it were not run".formatted(left));
                }
                return;
            }
        }
    }

    private boolean isToBeRun(Block block) throws IOException {
        switch (block.marker()) {
            case Block.Marker.Skip(var reason) -> {
                return skip(block, reason);
            }
            case Block.Marker.Long(var reason) when !isLong -> {
                return skip(block, reason + " (runs with --long)");
            }
            case Block.Marker.ShownFile(var file) -> {
                compareWithFile(block, file);
                return false;
            }
            default -> {}
        }
        return switch (block.kind()) {
            case DATA -> false;
            case UNKNOWN -> {
                failures.add(
                        block.place()
                                + ": neither `$ ` prompts nor a language: write ```bash, ```text or"
                                + " another language, or <!-- skip: REASON --> before the block");
                yield false;
            }
            case SESSION, COMMANDS ->
                    skipReason.map(reason -> skip(block, reason)).orElseGet(() -> hasNeeds(block));
        };
    }

    private boolean hasNeeds(Block block) {
        var needsKubectl =
                Command.of(block).stream().anyMatch(one -> one.text().contains("kubectl "));
        return !needsKubectl || hasKubectl || skip(block, "needs kubectl, which is not installed");
    }

    private boolean skip(Block block, String reason) {
        skipped.add(block.place() + ": " + reason);
        return false;
    }

    private void compareWithFile(Block block, String file) throws IOException {
        var path = root.resolve(file);
        if (!Files.exists(path)) {
            failures.add(block.place() + ": the file " + file + " does not exist");
        } else if (!Files.readString(path).contains(String.join("\n", block.lines()))) {
            failures.add(block.place() + ": the block is not a part of " + file);
        }
    }

    /// Runs a block. Returns false when a command failed and the rest of the page makes no sense.
    private boolean runBlock(Block block, Session session)
            throws IOException, InterruptedException {
        for (var command : Command.of(block)) {
            var result = session.run(command);
            var place = block.page() + ":" + command.line();
            var shown = command.output().orElse(ANYTHING);
            var failed = result.failure().map(failure -> "failed: " + failure);
            if (!OutputPattern.matches(shown, result.output(), session.directories())) {
                failures.add(
                        report(place, command, failed.orElse("printed"), result.output())
                                + "\n  expected\n"
                                + indented(String.join("\n", shown)));
                var printed = session.directories().shown(result.output());
                updates.add(new Update(block.page(), command, printed));
            } else if (failed.isPresent() && (shown.isEmpty() || shown.equals(ANYTHING))) {
                failures.add(report(place, command, failed.get(), result.output()));
            } else {
                continue;
            }
            if (failed.isPresent()) {
                return false;
            }
        }
        return true;
    }

    private static String report(String place, Command command, String what, String output) {
        return "%s: %s%n  %s%n%s"
                .formatted(
                        place,
                        command.text().lines().findFirst().orElse(""),
                        what,
                        indented(output));
    }

    private static String indented(String text) {
        var lines = text.stripTrailing().lines().limit(MAX_REPORTED_LINES).toList();
        return String.join("\n", lines).indent(4).stripTrailing();
    }
}
