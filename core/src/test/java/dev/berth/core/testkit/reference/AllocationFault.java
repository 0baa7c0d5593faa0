package dev.berth.core.testkit.reference;

/// The request or the cluster is invalid, so the allocation fails.
///
/// An exception although it is an expected outcome: it has to leave the recursion from any depth,
/// and return values for it would obscure the rules. [ReferenceAllocator] converts it into an
/// outcome.
final class AllocationFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String fault;

    AllocationFault(String fault) {
        super(fault);
        this.fault = fault;
    }

    String fault() {
        return fault;
    }
}
