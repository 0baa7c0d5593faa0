package dev.berth.app;

import dev.berth.app.print.TerminalWriter;
import java.io.PrintWriter;
import picocli.CommandLine;

/// A command line whose commands print escaped text only ([TerminalWriter]), wherever they print
/// to.
final class TerminalCommandLine extends CommandLine {

    TerminalCommandLine(Object command) {
        super(command);
        setOut(getOut());
        setErr(getErr());
        setExecutionStrategy(TerminalCommandLine::run);
        setParameterExceptionHandler(TerminalCommandLine::refuse);
    }

    @Override
    public CommandLine setOut(PrintWriter out) {
        return super.setOut(TerminalWriter.over(out));
    }

    @Override
    public CommandLine setErr(PrintWriter err) {
        return super.setErr(TerminalWriter.over(err));
    }

    /// Help has colours and no text from elsewhere.
    private static int run(ParseResult parsed) {
        var command = parsed.commandSpec().commandLine();
        if (isHelp(parsed)) {
            TerminalWriter.styled(command.getOut(), () -> executeHelpRequest(parsed));
            return ExitCode.OK;
        }
        return new RunLast().execute(parsed);
    }

    private static boolean isHelp(ParseResult parsed) {
        return parsed.asCommandLineList().stream()
                .anyMatch(one -> one.isUsageHelpRequested() || one.isVersionHelpRequested());
    }

    /// Prints what is wrong with the arguments, and suggestions or the usage of the command.
    private static int refuse(ParameterException e, String[] arguments) {
        var command = e.getCommandLine();
        var err = command.getErr();
        err.println(e.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            TerminalWriter.styled(err, () -> command.usage(err, command.getColorScheme()));
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
