package dev.berth.control.simulation;

/// The end of a process in the middle of its work. Components must not recover from it, so it is an
/// Error.
final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash() {
        super("crashed", null, false, false);
    }
}
