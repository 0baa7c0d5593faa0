package dev.berth.app.node;

import dev.berth.drivers.local.DriverConfig;
import dev.berth.drivers.local.InvalidConfigException;
import dev.berth.drivers.local.LocalDriver;
import dev.berth.drivers.local.LocalDrivers;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.agent.ContainerPolicy;
import dev.berth.node.agent.NodeAgentOptions;
import dev.berth.node.cdi.CdiDirectory;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.oci.OciOptions;
import dev.berth.node.oci.PodAddresses;
import dev.berth.node.runtime.LogLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of all commands that make this machine a node.
public final class NodeOptions {

    @Option(
            names = "--drivers",
            paramLabel = "NAME,…",
            split = ",",
            description =
                    "Drivers to run for devices of this machine: cpu, disk, nic, chardev, pci, or"
                            + " none (default: all).")
    private List<String> drivers = List.of();

    @Option(
            names = "--driver-config",
            paramLabel = "FILE",
            description = "Configuration of the drivers; see docs/drivers.md.")
    private Optional<Path> driverConfig = Optional.empty();

    @Option(
            names = "--cdi-dir",
            paramLabel = "DIR",
            description =
                    "Directory for CDI documents of drivers. The runtime also reads /etc/cdi and"
                            + " /var/run/cdi (default: cdi in the directory of the node;"
                            + " /var/run/cdi with --runtime cri).")
    private Optional<Path> cdi = Optional.empty();

    @Option(
            names = "--pod-addresses",
            paramLabel = "RANGE",
            description = "IP addresses of pods (default: 10.88.0.0/16).")
    private Optional<String> addresses = Optional.empty();

    /// Container runtimes.
    enum RuntimeType {
        OCI,
        CRI;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--runtime",
            paramLabel = "RUNTIME",
            description =
                    "Container runtime: oci for conmon and runc, cri for containerd 1.7 or later,"
                            + " or CRI-O.")
    private RuntimeType runtime = RuntimeType.OCI;

    @Option(
            names = "--runtime-endpoint",
            paramLabel = "SOCKET",
            description = "Socket of the runtime, with --runtime cri.")
    private Path endpoint = Path.of("/run/containerd/containerd.sock");

    @Option(
            names = "--seccomp-default",
            description =
                    "Use the seccomp profile RuntimeDefault for containers without one (default:"
                            + " Unconfined, as with a kubelet).")
    private boolean hasSeccompDefault;

    @Option(
            names = "--container-log-max-size",
            paramLabel = "QUANTITY",
            description = "Size at which a container log is rotated, such as 500Ki.")
    private String logSize = "10Mi";

    @Option(
            names = "--container-log-max-files",
            paramLabel = "NUMBER",
            description =
                    "Number of log files to keep for a container (default: ${DEFAULT-VALUE},"
                            + " minimum: 2).")
    private int logFiles = LogLimits.DEFAULT.maxFiles();

    @Option(
            names = "--simulate",
            paramLabel = "PROFILE",
            description =
                    "Hardware profile whose devices are simulated on this node. berth up"
                            + " --list-profiles lists the profiles.")
    private Optional<String> profile = Optional.empty();

    /// The configuration of the node.
    public LocalNode.Settings settings(CommandLine command, NodeAgentOptions node) {
        try {
            var agent = node.withContainers(policy());
            return new LocalNode.Settings(
                    agent,
                    choice(agent),
                    cdiDirectory(agent),
                    chosen(command),
                    driverConfig.isPresent()
                            ? DriverConfig.read(driverConfig.get())
                            : DriverConfig.NONE,
                    profile.map(name -> found(command, name)));
        } catch (InvalidConfigException | IllegalArgumentException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }

    private ContainerPolicy policy() {
        var bytes =
                Quantity.tryParse(logSize)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "--container-log-max-size \"%s\" is not a quantity such as"
                                                        .formatted(logSize)
                                                + " 10Mi"))
                        .roundedUp();
        return new ContainerPolicy(new LogLimits(bytes, logFiles), hasSeccompDefault);
    }

    /// The CDI directory. Daemons read only the standard directories.
    private Path cdiDirectory(NodeAgentOptions agent) {
        var usual =
                switch (runtime) {
                    case OCI -> agent.root().resolve("cdi");
                    case CRI -> CdiDirectory.DYNAMIC;
                };
        return cdi.orElse(usual).toAbsolutePath();
    }

    private RuntimeChoice choice(NodeAgentOptions agent) {
        if (runtime == RuntimeType.CRI) {
            return new RuntimeChoice.Cri(endpoint);
        }
        var directories = new ArrayList<>(CdiRegistry.STANDARD);
        if (!directories.contains(cdiDirectory(agent))) {
            directories.add(cdiDirectory(agent));
        }
        return new RuntimeChoice.Oci(
                new OciOptions(
                        agent.root(),
                        OciOptions.CGROUP_PARENT,
                        addresses.map(PodAddresses::parse).orElse(PodAddresses.DEFAULT),
                        directories,
                        agent.containers().logs()));
    }

    private static HardwareProfile found(CommandLine command, String name) {
        return HardwareProfiles.builtIn()
                .find(name)
                .orElseThrow(() ->
                        new ParameterException(
                                command,
                                "--simulate: " + HardwareProfiles.builtIn().unknown(name)));
    }

    private List<LocalDriver<?>> chosen(CommandLine command) {
        if (drivers.isEmpty()) {
            return LocalDrivers.all();
        }
        var chosen = new ArrayList<LocalDriver<?>>();
        for (var name : drivers) {
            if (!name.equals("none") && !name.isEmpty()) {
                chosen.add(
                        LocalDrivers.find(name)
                                .orElseThrow(() ->
                                        new ParameterException(
                                                command,
                                                "--drivers: \"%s\" is not one of none, %s"
                                                        .formatted(
                                                                name,
                                                                String.join(
                                                                        ", ",
                                                                        LocalDrivers.names())))));
            }
        }
        return chosen;
    }
}
