package dev.berth.control.nodes;

import dev.berth.model.api.ObjectRef;

/// What may have to be looked at because of a node's health.
public sealed interface NodeKey {

    record OfNode(String name) implements NodeKey {}

    record OfPod(ObjectRef ref) implements NodeKey {}
}
