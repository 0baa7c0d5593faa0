package dev.berth.app;

import dev.berth.harness.GoldenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// Golden test of docs/commands.md, which contains the help of every command. `-Dgolden=update`
/// writes the page.
class CommandReferenceTest {

    private static final Path PAGE = Path.of("../docs/commands.md");
    private static final List<String> TOPICS = List.of("exit-codes", "environment");

    private static final String INTRODUCTION =
            """
            # Commands

            The help of all commands, as `./berth COMMAND --help` prints it. In a clone of the
            repository the command is `./berth`. This page is generated: `CommandReferenceTest`
            compares it with the program, and writes it with `-Dgolden=update`.
            """;

    @Test
    void theReferenceHasTheHelpOfEveryCommand() throws IOException {
        GoldenFile.check(PAGE, page());
    }

    private static String page() {
        var root = Berth.commandLine();
        var page = new StringBuilder(INTRODUCTION);
        section("berth", help(List.of()), page);
        if (root.getSubcommands().containsKey("help")) {
            for (var topic : TOPICS) {
                section("berth help " + topic, CommandRun.of("help", topic).out(), page);
            }
        }
        for (var words : commands(root, List.of())) {
            section("berth " + String.join(" ", words), help(words), page);
        }
        return page.toString();
    }

    private static void section(String title, String text, StringBuilder page) {
        var help = text.stripTrailing().lines().map(String::stripTrailing).toList();
        page.append("\n## ").append(title).append("\n\n```text\n");
        page.append(String.join("\n", help)).append("\n```\n");
    }

    private static String help(List<String> words) {
        var arguments = new ArrayList<>(words);
        arguments.add("--help");
        return CommandRun.of(arguments.toArray(String[]::new)).out();
    }

    /// The words of all commands that are not hidden, subcommands after their command.
    private static List<List<String>> commands(CommandLine parent, List<String> before) {
        var all = new ArrayList<List<String>>();
        for (var command : parent.getSubcommands().values()) {
            if (command.getCommandSpec().usageMessage().hidden()) {
                continue;
            }
            var words = new ArrayList<>(before);
            words.add(command.getCommandName());
            all.add(words);
            all.addAll(commands(command, words));
        }
        return all;
    }
}
