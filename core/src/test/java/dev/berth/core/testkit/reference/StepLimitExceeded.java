package dev.berth.core.testkit.reference;

/// The search exceeded its step limit. An exception for the same reason as [AllocationFault].
final class StepLimitExceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
