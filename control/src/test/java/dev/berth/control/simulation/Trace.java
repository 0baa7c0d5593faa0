package dev.berth.control.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// The last actions of a simulation, for debugging of failures.
final class Trace {

    private static final int MAX_LINES = Integer.getInteger("berth.simulation.lines", 300);

    private final VirtualClock clock;
    private final Deque<String> lines = new ArrayDeque<>();
    private long hash = 17;

    Trace(VirtualClock clock) {
        this.clock = clock;
    }

    void add(String line) {
        hash = hash * 31 + line.hashCode();
        var millis = Duration.between(VirtualClock.START, clock.instant()).toMillis();
        lines.addLast("%d.%03d %s".formatted(millis / 1000, millis % 1000, line));
        if (lines.size() > MAX_LINES) {
            lines.removeFirst();
        }
    }

    /// A hash of all actions; the same for the same run.
    long hash() {
        return hash;
    }

    String text() {
        return String.join("\n", lines);
    }
}
