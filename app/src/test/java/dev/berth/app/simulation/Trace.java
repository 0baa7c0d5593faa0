package dev.berth.app.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// What has happened, for whoever looks for the reason of a failure. The oldest is forgotten.
final class Trace {

    private static final int MOST_LINES = Integer.getInteger("berth.simulation.lines", 300);

    private final VirtualClock clock;
    private final Deque<String> lines = new ArrayDeque<>();
    private long print = 17;

    Trace(VirtualClock clock) {
        this.clock = clock;
    }

    void add(String line) {
        print = print * 31 + line.hashCode();
        var millis = Duration.between(VirtualClock.START, clock.instant()).toMillis();
        lines.addLast("%d.%03d %s".formatted(millis / 1000, millis % 1000, line));
        if (lines.size() > MOST_LINES) {
            lines.removeFirst();
        }
    }

    /// The same for the same story.
    long print() {
        return print;
    }

    String text() {
        return String.join("\n", lines);
    }
}
