package dev.berth.testkit.reference;

/// The question cannot be answered.
///
/// An exception although it is expected, because it must leave any depth of the recursion unchanged
/// and results in every signature would hide the rules; [ReferenceAllocator] turns it into a value.
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
