package dev.berth.core.testkit.cel;

import dev.berth.model.api.slice.AttributeValue;

/// The result of a derived attribute on a device.
public sealed interface Derivation {

    record Derived(AttributeValue value) implements Derivation {}

    record NotCompiled(String cause) implements Derivation {}

    record Failed(String cause) implements Derivation {}
}
