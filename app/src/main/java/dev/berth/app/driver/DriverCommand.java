package dev.berth.app.driver;

import dev.berth.app.print.Output;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.core.publish.DesiredPool;
import dev.berth.drivers.local.BadConfig;
import dev.berth.drivers.local.DriverConfig;
import dev.berth.drivers.local.LocalDriver;
import dev.berth.drivers.local.LocalDrivers;
import dev.berth.drivers.local.RunningDriver;
import dev.berth.drivers.machine.DeviceFailure;
import dev.berth.drivers.machine.Machine;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.PoolId;
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

/// `berth driver`: a driver for devices of this machine, for a kubelet or Berth's agent.
@Command(
        name = "driver",
        description = {
            "Run a driver for devices of this machine until interrupted: it publishes the",
            "devices, and makes them ready when a kubelet or `berth node` asks.",
            "",
            "  cpu      exclusive processor cores",
            "  disk     disks of any size, kept in files",
            "  nic      network interfaces, moved or made",
            "  chardev  character devices such as /dev/kvm",
            "  pci      PCI functions, also by VFIO",
            ""
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was stopped, or the devices were listed",
            "1:it could not start; the message says why",
            "2:the command line is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  berth driver cpu --list",
            "  berth driver disk --node $(hostname) --config drivers.yaml",
            ""
        })
public final class DriverCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "Which driver.")
    private String name = "";

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "The Node that this machine is (default: the variable NODE_NAME).")
    private Optional<String> node = Optional.empty();

    @Option(
            names = "--registry",
            paramLabel = "DIRECTORY",
            description = "Where kubelets look for drivers (default: ROOT/plugins_registry).")
    private Optional<Path> registry = Optional.empty();

    @Option(
            names = "--root",
            paramLabel = "DIRECTORY",
            defaultValue = "/var/lib/kubelet",
            description = {
                "The kubelet's directory, in which the driver has one of its own",
                "(default: ${DEFAULT-VALUE})."
            })
    private Path root = Path.of("/var/lib/kubelet");

    @Option(
            names = "--cdi-dir",
            paramLabel = "DIRECTORY",
            description = "Where CDI documents go (default: /var/run/cdi).")
    private Path cdi = CdiDirectory.DYNAMIC;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "What to offer, and how; see docs/drivers.md.")
    private Optional<Path> config = Optional.empty();

    @Option(names = "--list", description = "Show what would be published, and end.")
    private boolean list;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            paramLabel = "FORMAT",
            description = "Of the list: ${COMPLETION-CANDIDATES}.")
    private Output output = Output.TABLE;

    @Override
    public Integer call() throws BadConfig, DeviceFailure, DriverException, InterruptedException {
        var driver =
                LocalDrivers.find(name)
                        .orElseThrow(() ->
                                refusal(
                                        "there is no driver \"%s\"; there are %s"
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
            throws BadConfig, DeviceFailure {
        var nodeName = node.orElse("this-machine");
        var options = options(driver, nodeName);
        var pool =
                DesiredPool.of(
                        new PoolId(driver.driver(), nodeName),
                        new NodeScope.OneNode(nodeName),
                        RunningDriver.list(driver, Machine.here(), settings, options));
        var out = spec.commandLine().getOut();
        out.print(DeviceList.text(pool, output));
        out.flush();
    }

    private void serve(LocalDriver<?> driver, DriverConfig settings)
            throws BadConfig, DriverException, InterruptedException {
        var nodeName =
                node.or(() -> Optional.ofNullable(System.getenv("NODE_NAME")))
                        .filter(one -> !one.isEmpty())
                        .orElseThrow(() ->
                                refusal("say which Node this machine is: --node or NODE_NAME"));
        var options = options(driver, nodeName);
        try (var cluster = where.connect(spec.commandLine(), driver.driver());
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
