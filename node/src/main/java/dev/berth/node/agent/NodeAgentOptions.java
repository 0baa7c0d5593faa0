package dev.berth.node.agent;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/// What a node agent is told.
///
/// @param name of the Node
/// @param root where everything is kept; sockets are below it, so it should be short
/// @param address under which others reach this machine
/// @param port where the agent can be asked for logs; 0 for nowhere
/// @param labels of the Node, beside those that every one has
public record NodeAgentOptions(
        String name, Path root, String address, int port, Map<String, String> labels, Clock clock) {

    public NodeAgentOptions {
        root = root.toAbsolutePath().normalize();
        labels = Map.copyOf(labels);
    }

    /// This machine under its own name.
    public static NodeAgentOptions of(Path root) {
        return new NodeAgentOptions(
                Machine.hostname(), root, Machine.address(), 0, Map.of(), Clock.systemUTC());
    }

    public NodeAgentOptions withName(String newName) {
        return new NodeAgentOptions(newName, root, address, port, labels, clock);
    }

    public NodeAgentOptions withAddress(String newAddress, int newPort) {
        return new NodeAgentOptions(name, root, newAddress, newPort, labels, clock);
    }

    public NodeAgentOptions withLabels(Map<String, String> newLabels) {
        return new NodeAgentOptions(name, root, address, port, newLabels, clock);
    }

    /// Where drivers put the sockets by which they register.
    public Path registry() {
        return root.resolve("plugins_registry");
    }

    /// Where drivers keep what is theirs, each in a directory of its name.
    public Path plugins() {
        return root.resolve("plugins");
    }

    Path pods() {
        return root.resolve("pods");
    }

    public Path logs() {
        return root.resolve("logs");
    }
}
