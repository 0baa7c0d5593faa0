package dev.berth.app.up;

import dev.berth.app.node.NodeOptions;
import dev.berth.app.node.NodeSetupException;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TextTable;
import dev.berth.app.running.KubeconfigContext;
import dev.berth.app.schedule.SchedulingOptions;
import dev.berth.app.serve.ServerOptions;
import dev.berth.app.service.LogOptions;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.InvalidProfileException;
import dev.berth.server.ServerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth up`: runs a whole cluster in one process.
@Command(
        name = "up",
        description = {
            "Run a whole cluster in one process until interrupted.",
            "",
            "The cluster has an API server, a scheduler, controllers, and simulated nodes: their"
                    + " drivers publish ResourceSlices, their pods go through the usual phases"
                    + " without running anything. The state is kept in the data directory and used"
                    + " by the next start."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:the profiles were listed",
            "1:failed to start",
            "2:usage error",
            "130:stopped by Ctrl-C (SIGINT)",
            "143:stopped by SIGTERM"
        },
        footer = {
            "Examples:",
            "  berth up",
            "  berth up --nodes h100x8=4,a100-mig=2,cpu=3",
            "  berth up --node local --drivers cpu,disk",
            "  berth up --data-dir /tmp/cluster --port 0 --nodes mine=8 --profiles ./profiles",
            "  berth up --detach --wait",
            "  berth up --list-profiles"
        })
public final class UpCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = "--nodes",
            paramLabel = "PROFILE=COUNT,…",
            description =
                    "Simulated nodes, by hardware profile. Other simulated nodes are deleted"
                            + " (default: those of the cluster; at the first start "
                            + FleetPlanner.USUAL_NODES
                            + ").")
    private Optional<String> nodes = Optional.empty();

    @Option(
            names = "--profiles",
            paramLabel = "DIR",
            description =
                    "Directory with more hardware profiles, as NAME.yaml. Profiles of nodes are"
                            + " copied to the data directory.")
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = "--node",
            paramLabel = "local|none",
            description =
                    "local adds this machine as a real node: its pods run as containers, with"
                            + " devices of this machine. Needs root, conmon and runc. none starts"
                            + " without it (default: as at the last start; at the first start"
                            + " none).")
    private Optional<LocalNodeChoice.Choice> real = Optional.empty();

    @Mixin private NodeOptions nodeFlags = new NodeOptions();

    @Mixin private SchedulingOptions scheduling = new SchedulingOptions();

    @Mixin private LogOptions logs = new LogOptions();

    @Option(
            names = "--detach",
            description =
                    "Run the cluster in a background process and return when it is up. The log of"
                            + " the process is up.log in the data directory; berth down stops"
                            + " it.")
    private boolean isDetached;

    @Option(
            names = "--wait",
            arity = "0..1",
            fallbackValue = "120",
            paramLabel = "SECONDS",
            description =
                    "Announce the cluster only when all nodes are ready and all devices are"
                            + " published; fail after this time (default: 120).")
    private Optional<Integer> waitSeconds = Optional.empty();

    @Option(
            names = "--write-kubeconfig",
            description =
                    "Add a context for the cluster to the first file of $KUBECONFIG or to"
                            + " ~/.kube/config, and make it the current one. berth down removes"
                            + " it.")
    private boolean writesKubeconfig;

    @Option(
            names = "--no-ui",
            description = "Do not serve the dashboard, for which berth ui prints a URL.")
    private boolean isWithoutUi;

    @Option(names = "--list-profiles", description = "List hardware profiles and exit.")
    private boolean isListing;

    @Override
    public Integer call() throws InterruptedException, NodeSetupException, IOException {
        logs.apply();
        var command = spec.commandLine();
        try {
            var settings = server.settings(command);
            var planner = new FleetPlanner(settings.directory(), directory, nodes);
            if (isListing) {
                list(planner.profiles(), command.getOut());
                return 0;
            }
            if (waitSeconds.filter(seconds -> seconds < 1).isPresent()) {
                throw new ParameterException(command, "--wait: at least 1 second is needed");
            }
            if (isDetached && !DetachedStart.isInBackground()) {
                return new DetachedStart(settings.directory(), command).run();
            }
            return new ClusterProcess(options(settings, planner), command).run();
        } catch (InvalidProfileException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }

    private ClusterProcess.Options options(ServerSettings settings, FleetPlanner planner) {
        return new ClusterProcess.Options(
                settings,
                scheduling
                        .options(settings.gates(), PlacementPolicy.ALIGNED)
                        .withDefaultScheduler(),
                planner,
                new LocalNodeChoice(settings.directory(), real, nodeFlags, spec.commandLine()),
                waitSeconds.map(Duration::ofSeconds),
                writesKubeconfig ? Optional.of(KubeconfigContext.fileOfUser()) : Optional.empty(),
                !isWithoutUi,
                isDetached);
    }

    private static void list(HardwareProfiles profiles, PrintWriter out) {
        var table = new TextTable("PROFILE", "DESCRIPTION");
        profiles.all().forEach(one -> table.add(one.name(), one.description()));
        out.print(table.fit(Terminal.width()));
        out.flush();
    }
}
