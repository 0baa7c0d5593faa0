package dev.berth.control.simulation;

import dev.berth.client.Request;
import java.util.Optional;

/// The point at which one scheduler crashes, once per run.
final class CrashPoint {

    enum Side {
        BEFORE,
        AFTER
    }

    private final Optional<SchedulerWrite> write;
    private final Side side;
    private final int step;
    private int steps;
    private boolean hasCrashed;

    private CrashPoint(Optional<SchedulerWrite> write, Side side, int step) {
        this.write = write;
        this.side = side;
        this.step = step;
    }

    static CrashPoint never() {
        return afterStep(0);
    }

    /// A crash before or after the first write of a kind is executed; after it, its response is
    /// lost.
    static CrashPoint at(SchedulerWrite write, Side side) {
        return new CrashPoint(Optional.of(write), side, 0);
    }

    /// A crash between two steps.
    static CrashPoint afterStep(int number) {
        return new CrashPoint(Optional.empty(), Side.AFTER, number);
    }

    boolean hasCrashed() {
        return hasCrashed;
    }

    boolean isBefore(Request request) {
        return side == Side.BEFORE && isAt(request);
    }

    boolean isAfter(Request request) {
        return side == Side.AFTER && isAt(request);
    }

    private boolean isAt(Request request) {
        return crashIf(write.isPresent() && SchedulerWrite.of(request).equals(write));
    }

    /// Called after each step that did something.
    boolean isAfterStep() {
        return crashIf(++steps == step);
    }

    private boolean crashIf(boolean isReached) {
        var crashes = isReached && !hasCrashed;
        hasCrashed |= crashes;
        return crashes;
    }

    @Override
    public String toString() {
        return write.map(kind -> side + " " + kind).orElse("after step " + step);
    }
}
