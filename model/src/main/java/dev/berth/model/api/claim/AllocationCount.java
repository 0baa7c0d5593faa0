package dev.berth.model.api.claim;

/// The number of devices of a request (`allocationMode` and `count` in the API).
public sealed interface AllocationCount {

    record ExactCount(long count) implements AllocationCount {}

    /// All matching devices.
    record All() implements AllocationCount {}

    /// An unknown mode, no mode, or `All` with a count; kept as written.
    record Unrecognised(String mode, long count) implements AllocationCount {}
}
