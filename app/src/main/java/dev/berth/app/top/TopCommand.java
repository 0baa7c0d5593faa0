package dev.berth.app.top;

import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalText;
import dev.berth.app.utilisation.DeviceClassOption;
import dev.berth.app.utilisation.LiveView;
import dev.berth.app.utilisation.ObservedCluster;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth top`: shows the devices of a running cluster, refreshed like `top`.
@Command(
        name = "top",
        description = {
            "Show devices in use, what still fits and the devices of each node, refreshed until"
                    + " Ctrl-C.",
            "",
            "A partitioned GPU counts once, by its most used counter. \"fits 2×7\" means that seven"
                    + " requests for two devices on one node fit at the same time. Without a"
                    + " terminal, or with --once, the command prints one picture and exits."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:success", "2:usage error, or a file or the cluster cannot be read"},
        footer = {
            "Examples:",
            "  berth top",
            "  berth top --class gpu.nvidia.com --interval 5",
            "  berth top --once -f cluster/",
            "  berth top -o json"
        })
public final class TopCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private DeviceClassOption deviceClass = new DeviceClassOption();

    @Option(names = "--once", description = "Print one picture and exit.")
    private boolean isOnce;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Time between refreshes.")
    private int intervalSeconds = 2;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws InterruptedException {
        if (intervalSeconds < 1) {
            throw new ParameterException(spec.commandLine(), "--interval must be at least 1");
        }
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET);
        var calculator = ObservedCluster.calculator(allocator);
        var isLive = !isOnce && output.format() == OutputFormat.TEXT && Terminal.isOutput();
        return LiveView.run(
                spec.commandLine(),
                source,
                isLive ? OptionalInt.of(intervalSeconds) : OptionalInt.empty(),
                observed -> lines(observed, calculator, allocator, isLive));
    }

    private List<String> lines(
            ObservedCluster observed,
            UtilisationCalculator calculator,
            Allocator allocator,
            boolean isLive) {
        var utilisation = deviceClass.filter(observed.utilisation(calculator));
        if (output.format() != OutputFormat.TEXT) {
            var tree = JsonObject.of("classes", UtilisationJson.of(utilisation));
            return TerminalText.escape(output.render(String::new, () -> tree)).lines().toList();
        }
        var picture =
                new TopText.Picture(
                        isLive ? time() : "",
                        observed.snapshot().inventory().size(),
                        observed.input().pendingPods().size(),
                        utilisation,
                        deviceClass.filter(observed.inventory(allocator)));
        return new TopText(Terminal.width(), Palette.ofTerminal()).lines(picture);
    }

    private static String time() {
        var now = LocalTime.now(Clock.system(ZoneId.systemDefault()));
        return now.truncatedTo(ChronoUnit.SECONDS).format(DateTimeFormatter.ISO_LOCAL_TIME);
    }
}
