package dev.berth.app.up;

import dev.berth.app.node.LocalNode;
import dev.berth.app.node.NodeFlags;
import dev.berth.app.node.NodeProblem;
import dev.berth.app.schedule.SchedulerFlags;
import dev.berth.app.serve.ServerOptions;
import dev.berth.drivers.sim.BrokenProfile;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.Profiles;
import dev.berth.server.ServerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
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
            "Run a whole cluster in one process: API server, scheduler, controllers, and simulated",
            "nodes whose drivers publish devices and whose pods seem to run. Everything is kept in",
            "the data directory and goes on from there at the next start."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was stopped",
            "1:it could not start; the message says why",
            "2:the command line is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  berth up",
            "  berth up --nodes h100x8=4,a100-mig=2,cpu=3",
            "  berth up --node local --drivers cpu,disk",
            "  berth up --data-dir /tmp/cluster --port 0 --nodes mine=8 --profiles ./profiles",
            "  berth up --list-profiles",
            ""
        })
public final class UpCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = "--nodes",
            paramLabel = "PROFILE=COUNT,…",
            description = {
                "The nodes, by hardware profile; simulated nodes beyond these are removed.",
                "Default: those of the last time, or "
                        + FleetPlanner.USUAL_NODES
                        + " the first time."
            })
    private Optional<String> nodes = Optional.empty();

    @Option(
            names = "--profiles",
            paramLabel = "DIR",
            description = {
                "A directory with more hardware profiles, each in a file NAME.yaml. Those that",
                "nodes are made from are kept in the data directory for the next start."
            })
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = "--node",
            paramLabel = "local",
            description = {
                "`local` makes this machine a real node beside the simulated ones: pods on it",
                "really run, with devices of this machine. Needs root, conmon and runc."
            })
    private Optional<RealNode> real = Optional.empty();

    /// Nodes that are not simulated.
    enum RealNode {
        LOCAL
    }

    @Mixin private NodeFlags nodeFlags = new NodeFlags();

    @Mixin private SchedulerFlags scheduling = new SchedulerFlags();

    @Option(names = "--list-profiles", description = "Show the hardware profiles, and end.")
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
        for (var profile : profiles.all()) {
            out.println("%-16s %s".formatted(profile.name(), profile.description()));
        }
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
