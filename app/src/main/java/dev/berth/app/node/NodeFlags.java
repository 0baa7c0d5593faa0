package dev.berth.app.node;

import dev.berth.drivers.local.BadConfig;
import dev.berth.drivers.local.DriverConfig;
import dev.berth.drivers.local.LocalDriver;
import dev.berth.drivers.local.LocalDrivers;
import dev.berth.node.agent.NodeAgentOptions;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.oci.OciSettings;
import dev.berth.node.oci.PodAddresses;
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
                "/etc/cdi and /var/run/cdi (default: cdi in the node's directory)."
            })
    private Optional<Path> cdi = Optional.empty();

    @Option(
            names = "--pod-addresses",
            paramLabel = "RANGE",
            description = "The addresses that pods may have (default: 10.88.0.0/16).")
    private Optional<String> addresses = Optional.empty();

    /// The settings for a node.
    public LocalNode.Settings settings(CommandLine command, NodeAgentOptions agent) {
        var cdiDirectory = cdi.orElseGet(() -> agent.root().resolve("cdi")).toAbsolutePath();
        var directories = new ArrayList<>(CdiRegistry.STANDARD);
        if (!directories.contains(cdiDirectory)) {
            directories.add(cdiDirectory);
        }
        try {
            return new LocalNode.Settings(
                    agent,
                    new OciSettings(
                            agent.root(),
                            OciSettings.CGROUP_PARENT,
                            addresses.map(PodAddresses::parse).orElse(PodAddresses.USUAL),
                            directories),
                    cdiDirectory,
                    chosen(command),
                    driverConfig.isPresent()
                            ? DriverConfig.read(driverConfig.get())
                            : DriverConfig.NONE);
        } catch (BadConfig | IllegalArgumentException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
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
