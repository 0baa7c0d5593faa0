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
import dev.berth.app.lifecycle.DownCommand;
import dev.berth.app.lifecycle.StatusCommand;
import dev.berth.app.lint.LintCommand;
import dev.berth.app.node.NodeCommand;
import dev.berth.app.nodes.NodesCommand;
import dev.berth.app.plan.PlanCommand;
import dev.berth.app.schedule.ScheduleCommand;
import dev.berth.app.sdk.SdkCommand;
import dev.berth.app.serve.BackupCommand;
import dev.berth.app.serve.RestoreCommand;
import dev.berth.app.serve.ServeCommand;
import dev.berth.app.top.TopCommand;
import dev.berth.app.ui.UiCommand;
import dev.berth.app.up.UpCommand;
import dev.berth.app.version.BuildVersion;
import dev.berth.app.version.VersionCommand;
import dev.berth.model.text.FailureText;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The `berth` command.
@Command(
        name = "berth",
        description = {
            "Kubernetes Dynamic Resource Allocation (DRA): run a cluster with simulated or real"
                    + " devices, explain pending pods, plan capacity, write drivers."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            DemoCommand.class,
            UpCommand.class,
            StatusCommand.class,
            DownCommand.class,
            NodesCommand.class,
            ExplainCommand.class,
            PlanCommand.class,
            InventoryCommand.class,
            TopCommand.class,
            UiCommand.class,
            LintCommand.class,
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
            CompletionCommand.class,
            HelpCommand.class,
            VersionCommand.class,
            AotTrainingCommand.class
        },
        footer = {
            "Examples:",
            "  berth demo",
            "  berth up",
            "  berth explain pod/train -n ml",
            "  berth help explain",
            "",
            "berth help exit-codes and berth help environment describe what all commands share."
        })
final class Berth {

    private static final String INTERNAL = "internal error";

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
                        .setCaseInsensitiveEnumValuesAllowed(true);
        CommandDefaults.apply(all, BuildVersion.current().toString());
        return all;
    }

    /// Prints the message of an exception that ended a command, and with `BERTH_TRACE` its trace.
    private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        var text = FailureText.of(e);
        var more = text.equals(INTERNAL) ? "; set BERTH_TRACE=1 to see the stack trace" : "";
        command.getErr().println("berth: " + text + more);
        if (System.getenv("BERTH_TRACE") != null) {
            e.printStackTrace(command.getErr());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
