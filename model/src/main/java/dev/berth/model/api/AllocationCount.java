package dev.berth.model.api;

/// How many devices.
public sealed interface AllocationCount {

    record ExactCount(long count) implements AllocationCount {}

    /// All that match.
    record All() implements AllocationCount {}

    /// A mode of a newer API, no mode, or `All` with a count; kept as it was written.
    record Unrecognised(String mode, long count) implements AllocationCount {}
}
