package dev.berth.app.control;

import dev.berth.app.manifest.GateOptions;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.remote.LeaderElectedService;
import dev.berth.app.service.LogOptions;
import dev.berth.app.service.MetricsPort;
import dev.berth.client.Cluster;
import dev.berth.client.RequestResult;
import dev.berth.client.http.HttpCluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.Controller;
import dev.berth.metrics.MetricsRegistry;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth control`: runs the controllers for any cluster.
@Command(
        name = "control",
        description = {
            "Run the controllers for any cluster until interrupted.",
            "",
            "The controllers create claims from templates and release them, evict pods from tainted"
                    + " devices, answer ResourcePoolStatusRequests, garbage-collect objects of"
                    + " deleted nodes, and reconcile ReplicaSets, Deployments and Jobs."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "1:failed to start",
            "2:usage error",
            "130:stopped by Ctrl-C (SIGINT)",
            "143:stopped by SIGTERM"
        },
        footer = {
            "Examples:",
            "  berth control --kubeconfig ~/.kube/config",
            "  berth control --controllers '*,-node-lifecycle' --leader-elect",
            "  berth control --metrics-port off"
        })
public final class ControlCommand implements Callable<Integer> {

    private static final String NAME = "berth-control";
    private static final int CONTROLLER_MANAGER_PORT = 10_257;

    /// Interval between requests to a server that does not respond.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private LeaderElectedService duty = new LeaderElectedService();

    @Option(
            names = "--controllers",
            paramLabel = "NAME,…",
            description =
                    "Controllers to run: names, * for all, -NAME for the default ones without NAME"
                            + " (default: all with a Berth API server, otherwise those that"
                            + " Kubernetes does not have).")
    private Optional<String> choice = Optional.empty();

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = MetricsPort.Converter.class,
            description =
                    "Port of 127.0.0.1 for Prometheus metrics, or off. 0 chooses a free port"
                            + " (default: 10257, as kube-controller-manager; without metrics if"
                            + " that is in use).")
    private Optional<MetricsPort> metricsPort = Optional.empty();

    @Mixin private LogOptions logs = new LogOptions();

    @Mixin private GateOptions gates = new GateOptions();

    @Override
    public Integer call() throws InterruptedException {
        logs.apply();
        var command = spec.commandLine();
        var metrics = MetricsRegistry.ofProcess();
        var defaults = ControlPlane.Options.defaults(gates.gates(command)).withMetrics(metrics);
        // Wrong names are reported before the first request.
        chosen(() -> EnumSet.allOf(Controller.class));
        try (var cluster = where.connectService(command, NAME, metrics);
                var _ =
                        metricsPort
                                .orElseGet(() -> MetricsPort.byDefault(CONTROLLER_MANAGER_PORT))
                                .serve(metrics, command)) {
            var options = defaults.with(chosen(() -> DefaultControllers.of(version(cluster))));
            duty.perform(cluster, NAME, () -> begin(cluster, options, command.getOut()));
        }
        return 0;
    }

    /// Waits for a server that does not respond yet.
    private RequestResult version(HttpCluster cluster) {
        var out = spec.commandLine().getOut();
        return DefaultControllers.answer(
                cluster::version,
                message -> {
                    out.println("Waiting for the server: " + message);
                    out.flush();
                },
                () -> LockSupport.parkNanos(PAUSE.toNanos()));
    }

    private Set<Controller> chosen(Supplier<Set<Controller>> usual) {
        return switch (Controller.choice(choice.orElse(""), usual)) {
            case Controller.Choice.Chosen(var controllers) -> controllers;
            case Controller.Choice.Unknown(var name) ->
                    throw new ParameterException(
                            spec.commandLine(),
                            "--controllers: \"%s\" is not one of %s"
                                    .formatted(name, names(EnumSet.allOf(Controller.class))));
        };
    }

    private static AutoCloseable begin(
            Cluster cluster, ControlPlane.Options options, PrintWriter out) {
        var plane = new ControlPlane(cluster, Clock.systemUTC(), options);
        plane.start();
        out.println("Running " + names(options.running()));
        options.idle()
                .forEach((controller, gate) ->
                        out.println(
                                "Not running %s: the feature gate %s is off"
                                        .formatted(controller.id(), gate.gateName())));
        out.flush();
        return plane;
    }

    private static String names(Set<Controller> controllers) {
        var names = new TreeSet<String>();
        controllers.forEach(one -> names.add(one.id()));
        return String.join(", ", names);
    }
}
