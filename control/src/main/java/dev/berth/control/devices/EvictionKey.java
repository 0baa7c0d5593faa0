package dev.berth.control.devices;

import dev.berth.model.api.ObjectRef;

/// What may have to be looked at because of tainted devices.
public sealed interface EvictionKey {

    record OfPod(ObjectRef ref) implements EvictionKey {}

    record OfRule(ObjectRef ref) implements EvictionKey {}
}
