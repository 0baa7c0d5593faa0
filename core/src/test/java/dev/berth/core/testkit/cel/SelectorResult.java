package dev.berth.core.testkit.cel;

/// The result of a selector on a device.
public sealed interface SelectorResult {

    record Selected(boolean matches) implements SelectorResult {}

    record NotCompiled(String cause) implements SelectorResult {}

    record Failed(String cause) implements SelectorResult {}
}
