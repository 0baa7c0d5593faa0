package dev.berth.testkit.reference;

/// The search took all the steps that it was given. An exception for the reason that
/// [AllocationFault] is.
final class StepLimitExceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
