package dev.berth.testkit.cel;

/// What a selector said of a device.
public sealed interface SelectorResult {

    record Selected(boolean matches) implements SelectorResult {}

    record NotCompiled(String cause) implements SelectorResult {}

    record Failed(String cause) implements SelectorResult {}
}
