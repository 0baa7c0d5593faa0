package dev.berth.node.driver;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Reports what a driver waits for: each cause once, and again when it returns after it has ended.
///
/// Thread-safe.
final class WaitReport {

    /// Conditions that a driver can wait for.
    enum Cause {
        KUBELET,
        API_SERVER,
        NODE,
        PERMISSION,
        SLICES
    }

    private final Consumer<DriverProblem> problems;
    private final Set<Cause> reported = ConcurrentHashMap.newKeySet();

    WaitReport(Consumer<DriverProblem> problems) {
        this.problems = problems;
    }

    /// @param message evaluated only if the cause has not been reported yet
    void waiting(Cause cause, Supplier<String> message) {
        if (reported.add(cause)) {
            problems.accept(new DriverProblem.Waiting(message.get()));
        }
    }

    void ended(Cause cause) {
        reported.remove(cause);
    }
}
