package dev.berth.app;

import dev.berth.app.print.HelpText;
import dev.berth.app.print.TerminalWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth help`: the help of a command or a topic.
@Command(
        name = "help",
        description = {
            "Print the help of a command or a topic.",
            "",
            "The topics are exit-codes, for the exit codes of all commands, and environment, for"
                    + " the environment variables that Berth reads."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "Examples:",
            "  berth help explain",
            "  berth help image import",
            "  berth help exit-codes"
        })
final class HelpCommand implements Callable<Integer> {

    private static final int WRONG_USAGE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description = "A command with its subcommand, or a topic; without it, all commands.")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() {
        var topic = words.size() == 1 ? HelpTopic.find(words.getFirst()) : HelpTopic.find("");
        if (topic.isPresent()) {
            var out = spec.commandLine().getOut();
            TerminalWriter.printStyled(out, topic.get().text());
            out.flush();
            return 0;
        }
        CommandLine command = spec.root().commandLine();
        for (var word : words) {
            var next = command.getSubcommands().get(word);
            if (next == null) {
                return refused(UsageError.unknownCommand(command.getCommandSpec(), word));
            }
            command = next;
        }
        HelpText.print(command);
        return 0;
    }

    private int refused(UsageError error) {
        spec.commandLine().getErr().println("berth: " + error.message());
        spec.commandLine().getErr().println(error.hint());
        return WRONG_USAGE;
    }
}
