package dev.berth.testkit.cel;

import dev.berth.model.api.AttributeValue;

/// What an expression made of a device's attributes.
public sealed interface Derivation {

    record Derived(AttributeValue value) implements Derivation {}

    record NotCompiled(String cause) implements Derivation {}

    record Failed(String cause) implements Derivation {}
}
