package dev.berth.model.api;

/// The nodes that slices and devices can name.
public sealed interface NodeScope extends SliceScope, DeviceScope {

    record OneNode(String name) implements NodeScope {}

    record MatchingNodes(NodeSelector selector) implements NodeScope {}

    record AllNodes() implements NodeScope {}
}
