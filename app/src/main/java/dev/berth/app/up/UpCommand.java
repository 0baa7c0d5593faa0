package dev.berth.app.up;

import dev.berth.app.node.LocalNode;
import dev.berth.app.node.NodeFlags;
import dev.berth.app.node.NodeProblem;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TextTable;
import dev.berth.app.schedule.SchedulerFlags;
import dev.berth.app.serve.ServerOptions;
import dev.berth.drivers.sim.BrokenProfile;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.Profiles;
import dev.berth.server.ServerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth up`: a whole cluster in one process.
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
                            + " (default: those of the last start; at the first start "
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
            paramLabel = "local",
            description =
                    "local adds this machine as a real node: its pods run as containers, with"
                            + " devices of this machine. Needs root, conmon and runc.")
    private Optional<RealNode> real = Optional.empty();

    /// Nodes that are not simulated.
    enum RealNode {
        LOCAL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin private NodeFlags nodeFlags = new NodeFlags();

    @Mixin private SchedulerFlags scheduling = new SchedulerFlags();

    @Option(names = "--list-profiles", description = "List hardware profiles and exit.")
    private boolean isListing;

    @Override
    public Integer call() throws InterruptedException, NodeProblem {
        var out = spec.commandLine().getOut();
        try {
            var settings = server.settings(spec.commandLine());
            var planner = new FleetPlanner(settings.directory(), directory, nodes);
            if (isListing) {
                list(planner.profiles(), out);
                return 0;
            }
            return run(settings, planner, out);
        } catch (BrokenProfile e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static void list(Profiles profiles, PrintWriter out) {
        var table = new TextTable("PROFILE", "DESCRIPTION");
        profiles.all().forEach(one -> table.add(one.name(), one.description()));
        out.print(table.fit(Terminal.width()));
        out.flush();
    }

    private int run(ServerSettings settings, FleetPlanner planner, PrintWriter out)
            throws InterruptedException, NodeProblem {
        var cluster =
                WholeCluster.start(
                        settings,
                        scheduling.options(settings.gates()).takingOver(),
                        planner,
                        FleetOptions.defaults());
        var node = start(cluster, settings.directory());
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            node.ifPresent(LocalNode::close);
                            cluster.close();
                            stopped.countDown();
                        }));
        announce(cluster, node, out);
        stopped.await();
        return 0;
    }

    /// Makes this machine a node, if it is to be one.
    private Optional<LocalNode> start(WholeCluster cluster, Path directory)
            throws InterruptedException, NodeProblem {
        if (real.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OwnNode.start(cluster, directory, nodeFlags, spec.commandLine()));
        } catch (NodeProblem | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static void announce(WholeCluster cluster, Optional<LocalNode> node, PrintWriter out) {
        out.println("A cluster (Kubernetes 1.37) is up at " + cluster.server().uri());
        cluster.plan()
                .counts()
                .forEach((profile, count) ->
                        out.println(
                                "  %3d x %-14s %s"
                                        .formatted(count, profile.name(), profile.description())));
        node.ifPresent(one ->
                out.println(
                        "    1 x %-14s this machine, for pods that really run"
                                .formatted(one.agent().options().name())));
        out.println();
        out.println("Try:  export KUBECONFIG=" + cluster.server().kubeconfig());
        out.println("      kubectl get nodes");
        out.println("      kubectl get resourceslices");
        out.println("      kubectl get deviceclasses");
        out.println();
        out.println("Ctrl-C stops it; the next `berth up` goes on from there.");
        out.flush();
    }
}
