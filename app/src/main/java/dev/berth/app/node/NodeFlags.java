package dev.berth.app.node;

import dev.berth.drivers.local.BadConfig;
import dev.berth.drivers.local.DriverConfig;
import dev.berth.drivers.local.LocalDriver;
import dev.berth.drivers.local.LocalDrivers;
import dev.berth.drivers.sim.Profile;
import dev.berth.drivers.sim.Profiles;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.agent.ContainerPolicy;
import dev.berth.node.agent.NodeAgentOptions;
import dev.berth.node.cdi.CdiDirectory;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.oci.OciSettings;
import dev.berth.node.oci.PodAddresses;
import dev.berth.node.runtime.LogLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// What to offer of this machine, for every command that makes it a node.
public final class NodeFlags {

    @Option(
            names = "--drivers",
            paramLabel = "NAME,…",
            split = ",",
            description = {
                "Drivers to run for devices of this machine (default: all there are;",
                "none for none)."
            })
    private List<String> drivers = List.of();

    @Option(
            names = "--driver-config",
            paramLabel = "FILE",
            description = "What drivers are to offer, and how; see docs/drivers.md.")
    private Optional<Path> driverConfig = Optional.empty();

    @Option(
            names = "--cdi-dir",
            paramLabel = "DIR",
            description = {
                "Where drivers put CDI documents, and the runtime looks for them beside",
                "/etc/cdi and /var/run/cdi (default: cdi in the node's directory, and",
                "/var/run/cdi with --runtime cri)."
            })
    private Optional<Path> cdi = Optional.empty();

    @Option(
            names = "--pod-addresses",
            paramLabel = "RANGE",
            description = "The addresses that pods may have (default: 10.88.0.0/16).")
    private Optional<String> addresses = Optional.empty();

    /// What may run containers.
    enum Sort {
        OCI,
        CRI
    }

    @Option(
            names = "--runtime",
            paramLabel = "SORT",
            description = {
                "What runs containers: oci, which is conmon and runc, or cri, which is containerd",
                "from 1.7 on or CRI-O (default: oci)."
            })
    private Sort runtime = Sort.OCI;

    @Option(
            names = "--runtime-endpoint",
            paramLabel = "SOCKET",
            description = "Of a cri runtime (default: ${DEFAULT-VALUE}).")
    private Path endpoint = Path.of("/run/containerd/containerd.sock");

    @Option(
            names = "--seccomp-default",
            description =
                    "Run containers whose pod names no seccomp profile with the profile"
                            + " RuntimeDefault (default: Unconfined, as with a kubelet).")
    private boolean hasSeccompDefault;

    @Option(
            names = "--container-log-max-size",
            paramLabel = "QUANTITY",
            description =
                    "Size at which the log file of a container is rotated, such as 500Ki (default:"
                            + " ${DEFAULT-VALUE}).")
    private String logSize = "10Mi";

    @Option(
            names = "--container-log-max-files",
            paramLabel = "NUMBER",
            description =
                    "Number of log files to keep for a container, with the one that is being"
                            + " written (default: ${DEFAULT-VALUE}, minimum: 2).")
    private int logFiles = LogLimits.USUAL.maxFiles();

    @Option(
            names = "--simulate",
            paramLabel = "PROFILE",
            description = {
                "A hardware profile whose devices are offered too, without being there;",
                "`berth up --list-profiles` shows them."
            })
    private Optional<String> profile = Optional.empty();

    /// The settings for a node.
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
        } catch (BadConfig | IllegalArgumentException e) {
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

    /// Daemons only look where all of them do.
    private Path cdiDirectory(NodeAgentOptions agent) {
        var usual =
                switch (runtime) {
                    case OCI -> agent.root().resolve("cdi");
                    case CRI -> CdiDirectory.DYNAMIC;
                };
        return cdi.orElse(usual).toAbsolutePath();
    }

    private RuntimeChoice choice(NodeAgentOptions agent) {
        if (runtime == Sort.CRI) {
            return new RuntimeChoice.Cri(endpoint);
        }
        var directories = new ArrayList<>(CdiRegistry.STANDARD);
        if (!directories.contains(cdiDirectory(agent))) {
            directories.add(cdiDirectory(agent));
        }
        return new RuntimeChoice.Oci(
                new OciSettings(
                        agent.root(),
                        OciSettings.CGROUP_PARENT,
                        addresses.map(PodAddresses::parse).orElse(PodAddresses.USUAL),
                        directories,
                        agent.containers().logs()));
    }

    private static Profile found(CommandLine command, String name) {
        return Profiles.builtIn()
                .find(name)
                .orElseThrow(() ->
                        new ParameterException(
                                command,
                                "there is no profile \"%s\"; see berth up --list-profiles"
                                        .formatted(name)));
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
                                                "there is no driver \"%s\"; there are %s"
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
