package dev.berth.app;

import dev.berth.app.print.HelpText;
import dev.berth.app.print.TerminalWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/// A command line whose commands print escaped text only ([TerminalWriter]), with help and usage
/// errors of our own ([HelpText], [UsageError]).
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

    /// Runs the command, or prints the requested help or version. A command that only has
    /// subcommands prints its help.
    private static int run(ParseResult parsed) {
        var commands = parsed.asCommandLineList();
        for (var one : commands) {
            if (one.isUsageHelpRequested()) {
                HelpText.print(one);
                return ExitCode.OK;
            }
            if (one.isVersionHelpRequested()) {
                one.printVersionHelp(one.getOut());
                return ExitCode.OK;
            }
        }
        var last = commands.getLast();
        if (!last.getSubcommands().isEmpty() && !isExecutable(last.getCommand())) {
            HelpText.print(last);
            return ExitCode.OK;
        }
        return new RunLast().execute(parsed);
    }

    private static boolean isExecutable(Object command) {
        return command instanceof Runnable || command instanceof Callable<?>;
    }

    /// Prints a usage error in two lines.
    private static int refuse(ParameterException e, String[] arguments) {
        var command = e.getCommandLine();
        var error = UsageError.of(e);
        command.getErr().println("berth: " + error.message());
        command.getErr().println(error.hint());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
