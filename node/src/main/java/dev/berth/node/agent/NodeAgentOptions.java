package dev.berth.node.agent;

import dev.berth.node.endpoint.EndpointOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/// What a node agent is told.
///
/// @param name of the Node
/// @param root where everything is kept; sockets are below it, so it should be short
/// @param address under which others reach this machine
/// @param labels of the Node, beside those that every one has
/// @param door where logs are read and commands are run by others; empty for nowhere
public record NodeAgentOptions(
        String name,
        Path root,
        String address,
        Map<String, String> labels,
        Optional<EndpointOptions> door,
        ContainerPolicy containers,
        Clock clock) {

    public NodeAgentOptions {
        root = root.toAbsolutePath().normalize();
        labels = Map.copyOf(labels);
    }

    /// This machine under its own name.
    public static NodeAgentOptions of(Path root) {
        return new NodeAgentOptions(
                MachineFacts.hostname(),
                root,
                MachineFacts.address(),
                Map.of(),
                Optional.empty(),
                ContainerPolicy.USUAL,
                Clock.systemUTC());
    }

    public NodeAgentOptions withName(String newName) {
        return new NodeAgentOptions(newName, root, address, labels, door, containers, clock);
    }

    public NodeAgentOptions withAddress(String newAddress) {
        return new NodeAgentOptions(name, root, newAddress, labels, door, containers, clock);
    }

    public NodeAgentOptions withDoor(EndpointOptions newDoor) {
        return new NodeAgentOptions(
                name, root, address, labels, Optional.of(newDoor), containers, clock);
    }

    public NodeAgentOptions withLabels(Map<String, String> newLabels) {
        return new NodeAgentOptions(name, root, address, newLabels, door, containers, clock);
    }

    public NodeAgentOptions withContainers(ContainerPolicy policy) {
        return new NodeAgentOptions(name, root, address, labels, door, policy, clock);
    }

    /// Where drivers put the sockets by which they register.
    public Path registry() {
        return root.resolve("plugins_registry");
    }

    /// Where drivers keep what is theirs, each in a directory of its name.
    public Path plugins() {
        return root.resolve("plugins");
    }

    /// Where administrators put seccomp profiles of the type `Localhost`.
    public Path seccompProfiles() {
        return root.resolve("seccomp");
    }

    Path pods() {
        return root.resolve("pods");
    }

    Path podResources() {
        return root.resolve("pod-resources");
    }

    public Path logs() {
        return root.resolve("logs");
    }
}
