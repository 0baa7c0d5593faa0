package dev.berth.testkit.cel;

/// What a selector said of a device.
public sealed interface Selection {

    record Selected(boolean matches) implements Selection {}

    record NotCompiled(String cause) implements Selection {}

    record Failed(String cause) implements Selection {}
}
