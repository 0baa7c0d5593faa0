package dev.berth.testkit.twin;

/// The question cannot be answered.
///
/// An exception although it is expected, because it must leave any depth of the recursion unchanged
/// and results in every signature would hide the rules; [SlowAllocator] turns it into a value.
final class Fatal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String fault;

    Fatal(String fault) {
        super(fault);
        this.fault = fault;
    }

    String fault() {
        return fault;
    }
}
