package dev.berth.app.simulation;

/// The end of a process in the midst of what it does. Nobody may survive it, so it is no exception.
final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash() {
        super("crashed", null, false, false);
    }
}
