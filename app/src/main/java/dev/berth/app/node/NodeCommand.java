package dev.berth.app.node;

import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.service.LogOptions;
import dev.berth.app.service.MetricsPort;
import dev.berth.client.Cluster;
import dev.berth.client.config.ServerTrust;
import dev.berth.drivers.local.LocalClasses;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.ProcessMetrics;
import dev.berth.node.agent.MachineFacts;
import dev.berth.node.agent.NodeAgentOptions;
import dev.berth.node.endpoint.EndpointOptions;
import dev.berth.node.oci.OciOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth node`: makes this machine a node of a cluster.
@Command(
        name = "node",
        description = {
            "Run this machine as a node of a cluster until interrupted.",
            "",
            "The agent does what a kubelet does: it runs the pods that are bound to the node, with"
                    + " the devices of their claims. Kubernetes is not needed on this machine."
                    + " Drivers made for a kubelet register in plugins_registry in the directory of"
                    + " --root. Pods keep running when the agent stops; the next start adopts them."
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
            "  berth node --kubeconfig node.kubeconfig",
            "  berth node --name edge-1 --root /var/lib/berth/node --drivers cpu,disk",
            "  berth node --drivers none --simulate h100x8 --label zone=lab --stop-pods",
            "  berth node --runtime cri --runtime-endpoint /run/containerd/containerd.sock"
        })
public final class NodeCommand implements Callable<Integer> {

    private static final String MANAGER = "berth-node";
    private static final int KUBELET_PORT = 10250;
    private static final String LOOPBACK = "127.0.0.1";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private NodeOptions flags = new NodeOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the Node (default: the host name).")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "Directory for the state of the node.")
    private Path root = OciOptions.ROOT;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = LOOPBACK,
            description = "Address on which the API server reaches the node for logs and commands.")
    private String address = LOOPBACK;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port for logs and commands. 0 chooses a free port.")
    private int port = KUBELET_PORT;

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "Label of the Node. Repeatable.")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = MetricsPort.Converter.class,
            description =
                    "Port of 127.0.0.1 for Prometheus metrics, or off. 0 chooses a free port. The"
                            + " API server reads them on --port in any case (default: off).")
    private MetricsPort metricsPort = new MetricsPort.Off();

    @Mixin private LogOptions logs = new LogOptions();

    @Option(names = "--stop-pods", description = "Stop all pods when the agent stops.")
    private boolean stopsPods;

    @Override
    public Integer call() throws NodeSetupException, InterruptedException {
        logs.apply();
        var metrics = MetricsRegistry.ofProcess();
        ProcessMetrics.register(metrics);
        var options =
                NodeAgentOptions.of(root)
                        .withMetrics(metrics)
                        .withName(name.orElseGet(MachineFacts::hostname))
                        .withAddress(address)
                        .withLabels(labels)
                        .withEndpoint(
                                EndpointOptions.local(
                                                root.toAbsolutePath().resolve("door"),
                                                authorities())
                                        .withAddress(address, port));
        var settings = flags.settings(spec.commandLine(), options);
        try (var cluster = where.connectService(spec.commandLine(), MANAGER, metrics);
                var _ = metricsPort.serve(metrics, spec.commandLine())) {
            makeClasses(cluster);
            run(LocalNode.start(settings, cluster, cluster), spec.commandLine().getOut());
        }
        return 0;
    }

    /// The CAs of the server also sign the certificate with which it connects to the node endpoint.
    private List<X509Certificate> authorities() {
        return where.access().trust() instanceof ServerTrust.Authorities(var certificates)
                ? certificates
                : List.of();
    }

    private static void makeClasses(Cluster cluster) {
        try {
            LocalClasses.create(cluster);
        } catch (IllegalStateException e) {
            LoggerFactory.getLogger(NodeCommand.class)
                    .warn("{}; an administrator has to make the device classes", e.getMessage());
        }
    }

    private void run(LocalNode node, PrintWriter out) throws InterruptedException {
        var stop = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            stop.countDown();
                            await(stopped);
                        }));
        try (node) {
            var options = node.agent().options();
            out.println("Node %s takes pods".formatted(options.name()));
            out.println("  directory  " + options.root());
            out.println("  drivers    register in " + options.registry());
            out.flush();
            stop.await();
            if (stopsPods) {
                node.agent().stopPods();
            }
        } finally {
            stopped.countDown();
        }
    }

    private static void await(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
