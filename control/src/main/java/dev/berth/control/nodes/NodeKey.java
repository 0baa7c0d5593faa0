package dev.berth.control.nodes;

import dev.berth.model.api.meta.ObjectRef;

/// A key of the node lifecycle controller.
public sealed interface NodeKey {

    record OfNode(String name) implements NodeKey {}

    record OfPod(ObjectRef ref) implements NodeKey {}
}
