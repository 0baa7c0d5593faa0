package dev.berth.app;

import dev.berth.app.bench.BenchCommand;
import dev.berth.app.cdi.CdiCommand;
import dev.berth.app.conformance.ConformanceCommand;
import dev.berth.app.control.ControlCommand;
import dev.berth.app.demo.DemoCommand;
import dev.berth.app.driver.DriverCommand;
import dev.berth.app.explain.ExplainCommand;
import dev.berth.app.image.ImageCommand;
import dev.berth.app.inventory.InventoryCommand;
import dev.berth.app.lint.LintCommand;
import dev.berth.app.node.NodeCommand;
import dev.berth.app.plan.PlanCommand;
import dev.berth.app.schedule.ScheduleCommand;
import dev.berth.app.sdk.SdkCommand;
import dev.berth.app.serve.BackupCommand;
import dev.berth.app.serve.RestoreCommand;
import dev.berth.app.serve.ServeCommand;
import dev.berth.app.up.UpCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The `berth` command.
@Command(
        name = "berth",
        description = "Dynamic Resource Allocation for Kubernetes: devices by description.",
        version = "berth 0.1.0 (Kubernetes 1.37)",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            LintCommand.class,
            ExplainCommand.class,
            PlanCommand.class,
            InventoryCommand.class,
            UpCommand.class,
            ServeCommand.class,
            ScheduleCommand.class,
            ControlCommand.class,
            NodeCommand.class,
            DriverCommand.class,
            SdkCommand.class,
            CdiCommand.class,
            ImageCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            BenchCommand.class,
            ConformanceCommand.class,
            RehearseCommand.class
        },
        footer = {"", "Try:  berth demo", "      berth up", ""})
final class Berth {

    private Berth() {}

    public static void main(String[] arguments) {
        Logging.prepare();
        HeapTrimmer.startIfAsked();
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var all =
                new TerminalCommandLine(new Berth())
                        .setExecutionExceptionHandler(Berth::report)
                        .setUsageHelpAutoWidth(true)
                        .setCaseInsensitiveEnumValuesAllowed(true);
        var version = all.getCommandSpec().version();
        all.getSubcommands().values().forEach(one -> one.getCommandSpec().version(version));
        return all;
    }

    /// The edge where an exception is caught: one line for people, the trace only when asked for.
    private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        var text = e.getMessage() == null ? e.toString() : e.getMessage();
        command.getErr().println("berth: " + text);
        if (System.getenv("BERTH_TRACE") != null) {
            e.printStackTrace(command.getErr());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
