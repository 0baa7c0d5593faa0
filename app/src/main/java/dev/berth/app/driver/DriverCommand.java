package dev.berth.app.driver;

import dev.berth.app.print.OutputOption;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.service.LogOptions;
import dev.berth.app.service.MetricsPort;
import dev.berth.core.publish.DesiredPool;
import dev.berth.drivers.local.DriverConfig;
import dev.berth.drivers.local.InvalidConfigException;
import dev.berth.drivers.local.LocalDriver;
import dev.berth.drivers.local.LocalDrivers;
import dev.berth.drivers.local.RunningDriver;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.node.cdi.CdiDirectory;
import dev.berth.node.driver.DriverException;
import dev.berth.node.driver.DriverOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth driver`: runs a driver for devices of this machine, for a kubelet or Berth's node agent.
@Command(
        name = "driver",
        description = {
            "Run a DRA driver for devices of this machine until interrupted.",
            "",
            "The driver publishes ResourceSlices, and prepares devices when a kubelet or berth node"
                    + " asks for them. The drivers are:",
            "  cpu      exclusive CPU cores",
            "  disk     disks of any size, backed by files",
            "  nic      network interfaces, moved or created",
            "  chardev  character devices such as /dev/kvm",
            "  pci      PCI functions, also through VFIO"
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:the devices were listed",
            "1:failed to start",
            "2:usage error",
            "130:stopped by Ctrl-C (SIGINT)",
            "143:stopped by SIGTERM"
        },
        footer = {
            "Examples:",
            "  berth driver cpu --list",
            "  berth driver disk --node $(hostname) --config drivers.yaml",
            "  berth driver cpu --node $(hostname) --metrics-port 9300"
        })
public final class DriverCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "Driver: cpu, disk, nic, chardev or pci.")
    private String name = "";

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Name of the Node of this machine (default: $NODE_NAME).")
    private Optional<String> node = Optional.empty();

    @Option(
            names = "--registry",
            paramLabel = "DIR",
            description =
                    "Plugin registration directory of the kubelet (default: plugins_registry in the"
                            + " directory of --root).")
    private Optional<Path> registry = Optional.empty();

    @Option(
            names = "--root",
            paramLabel = "DIR",
            defaultValue = "/var/lib/kubelet",
            description = "Directory of the kubelet, in which the driver keeps its state.")
    private Path root = Path.of("/var/lib/kubelet");

    @Option(names = "--cdi-dir", paramLabel = "DIR", description = "Directory for CDI documents.")
    private Path cdi = CdiDirectory.DYNAMIC;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration of the drivers; see docs/drivers.md.")
    private Optional<Path> config = Optional.empty();

    @Option(names = "--list", description = "List the devices that would be published and exit.")
    private boolean list;

    @Mixin private OutputOption output = new OutputOption();

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = MetricsPort.Converter.class,
            description =
                    "Port of 127.0.0.1 for Prometheus metrics, or off. 0 chooses a free port"
                            + " (default: off).")
    private MetricsPort metricsPort = new MetricsPort.Off();

    @Mixin private LogOptions logs = new LogOptions();

    @Override
    public Integer call()
            throws InvalidConfigException, DeviceException, DriverException, InterruptedException {
        var driver =
                LocalDrivers.find(name)
                        .orElseThrow(() ->
                                refusal(
                                        "unknown driver \"%s\"; the drivers are %s"
                                                .formatted(
                                                        name,
                                                        String.join(", ", LocalDrivers.names()))));
        var settings = config.isPresent() ? DriverConfig.read(config.get()) : DriverConfig.NONE;
        if (list) {
            list(driver, settings);
            return 0;
        }
        serve(driver, settings);
        return 0;
    }

    private void list(LocalDriver<?> driver, DriverConfig settings)
            throws InvalidConfigException, DeviceException {
        var nodeName = node.orElse("this-machine");
        var options = options(driver, nodeName);
        var pool =
                DesiredPool.of(
                        new PoolId(driver.driver(), nodeName),
                        new NodeScope.OneNode(nodeName),
                        RunningDriver.list(driver, MachineRoots.here(), settings, options));
        var out = spec.commandLine().getOut();
        out.print(output.render(() -> DeviceList.text(pool), () -> DeviceList.tree(pool)));
        out.flush();
    }

    private void serve(LocalDriver<?> driver, DriverConfig settings)
            throws InvalidConfigException, DriverException, InterruptedException {
        var nodeName =
                node.or(() -> Optional.ofNullable(System.getenv("NODE_NAME")))
                        .filter(one -> !one.isEmpty())
                        .orElseThrow(() ->
                                refusal("name the Node of this machine with --node or NODE_NAME"));
        logs.apply();
        var metrics = MetricsRegistry.ofProcess();
        var options = options(driver, nodeName).withMetrics(metrics);
        try (var cluster = where.connectService(spec.commandLine(), driver.driver(), metrics);
                var _ = metricsPort.serve(metrics, spec.commandLine());
                var running = RunningDriver.start(driver, settings, options, cluster)) {
            var out = spec.commandLine().getOut();
            out.println("Driver %s runs for node %s".formatted(driver.driver(), nodeName));
            out.flush();
            running.host().serve();
        }
    }

    private DriverOptions options(LocalDriver<?> driver, String nodeName) {
        return DriverOptions.of(driver.driver(), nodeName)
                .withDirectories(
                        registry.orElseGet(() -> root.resolve("plugins_registry")),
                        root.resolve("plugins").resolve(driver.driver()),
                        cdi)
                .withLoggedProblems();
    }

    private ParameterException refusal(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
