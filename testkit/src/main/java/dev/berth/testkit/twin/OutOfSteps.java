package dev.berth.testkit.twin;

/// The search took all the steps that it was given. An exception for the reason that [Fatal] is.
final class OutOfSteps extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
