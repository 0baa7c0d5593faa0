package dev.berth.model.api.slice;

import dev.berth.model.api.selector.NodeSelector;

/// The nodes that slices and devices can name.
public sealed interface NodeScope extends SliceScope, DeviceScope {

    record OneNode(String name) implements NodeScope {}

    record MatchingNodes(NodeSelector selector) implements NodeScope {}

    record AllNodes() implements NodeScope {}
}
