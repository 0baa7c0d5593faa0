package dev.berth.control.devices;

import dev.berth.model.api.meta.ObjectRef;

/// A key of the device taint eviction controller.
public sealed interface EvictionKey {

    record OfPod(ObjectRef ref) implements EvictionKey {}

    record OfRule(ObjectRef ref) implements EvictionKey {}
}
