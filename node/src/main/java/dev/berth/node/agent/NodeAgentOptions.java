package dev.berth.node.agent;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.node.endpoint.EndpointOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/// Configuration of a node agent.
///
/// @param name of the Node
/// @param root data directory; sockets are below it, so its path should be short
/// @param address under which the API server reaches this machine
/// @param labels of the Node, in addition to the standard ones
/// @param endpoint the agent's endpoint for logs and commands; empty for none
/// @param metrics registry of the process
public record NodeAgentOptions(
        String name,
        Path root,
        String address,
        Map<String, String> labels,
        Optional<EndpointOptions> endpoint,
        ContainerPolicy containers,
        Clock clock,
        MetricsRegistry metrics) {

    public NodeAgentOptions {
        root = root.toAbsolutePath().normalize();
        labels = Map.copyOf(labels);
    }

    /// Options for this machine under its host name.
    public static NodeAgentOptions of(Path root) {
        return new NodeAgentOptions(
                MachineFacts.hostname(),
                root,
                MachineFacts.address(),
                Map.of(),
                Optional.empty(),
                ContainerPolicy.DEFAULT,
                Clock.systemUTC(),
                MetricsRegistry.ofProcess());
    }

    public NodeAgentOptions withName(String newName) {
        return new NodeAgentOptions(
                newName, root, address, labels, endpoint, containers, clock, metrics);
    }

    public NodeAgentOptions withAddress(String newAddress) {
        return new NodeAgentOptions(
                name, root, newAddress, labels, endpoint, containers, clock, metrics);
    }

    public NodeAgentOptions withEndpoint(EndpointOptions newEndpoint) {
        return new NodeAgentOptions(
                name, root, address, labels, Optional.of(newEndpoint), containers, clock, metrics);
    }

    public NodeAgentOptions withLabels(Map<String, String> newLabels) {
        return new NodeAgentOptions(
                name, root, address, newLabels, endpoint, containers, clock, metrics);
    }

    public NodeAgentOptions withContainers(ContainerPolicy policy) {
        return new NodeAgentOptions(name, root, address, labels, endpoint, policy, clock, metrics);
    }

    /// Measures in a registry that other parts of the process share.
    public NodeAgentOptions withMetrics(MetricsRegistry registryOfProcess) {
        return new NodeAgentOptions(
                name, root, address, labels, endpoint, containers, clock, registryOfProcess);
    }

    /// Directory of the drivers' registration sockets.
    public Path registry() {
        return root.resolve("plugins_registry");
    }

    /// Directory of the drivers' data, one subdirectory per driver.
    public Path plugins() {
        return root.resolve("plugins");
    }

    /// Directory of seccomp profiles of type `Localhost`.
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
