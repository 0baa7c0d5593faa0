package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/// A probe of a container.
///
/// @param successes consecutive successes to pass, `successThreshold`
/// @param failures consecutive failures to fail, `failureThreshold`
/// @param grace grace period of a container that is stopped by this probe; empty for the pod's
public record Probe(
        LifecycleHandler handler,
        Duration delay,
        Duration period,
        Duration timeout,
        int successes,
        int failures,
        Optional<Duration> grace) {

    private static final long DEFAULT_PERIOD = 10;
    private static final long DEFAULT_FAILURES = 3;

    /// Type of a probe.
    public enum Purpose {
        STARTUP("startupProbe", "Startup"),
        LIVENESS("livenessProbe", "Liveness"),
        READINESS("readinessProbe", "Readiness");

        private final String field;
        private final String text;

        Purpose(String field, String text) {
            this.field = field;
            this.text = text;
        }

        /// Name in events.
        public String text() {
            return text;
        }
    }

    static Optional<Probe> of(JsonObject container, Purpose purpose) {
        var tree = container.object(purpose.field);
        return tree.isEmpty() ? Optional.empty() : Optional.of(read(tree.get()));
    }

    private static Probe read(JsonObject tree) {
        var grace = tree.number("terminationGracePeriodSeconds");
        return new Probe(
                LifecycleHandler.of(tree).orElse(new LifecycleHandler.Unknown("nothing")),
                seconds(tree, "initialDelaySeconds", 0),
                seconds(tree, "periodSeconds", DEFAULT_PERIOD),
                seconds(tree, "timeoutSeconds", 1),
                (int) positive(tree, "successThreshold", 1),
                (int) positive(tree, "failureThreshold", DEFAULT_FAILURES),
                grace.isPresent()
                        ? Optional.of(Duration.ofSeconds(grace.getAsLong()))
                        : Optional.empty());
    }

    private static Duration seconds(JsonObject tree, String field, long defaultValue) {
        return Duration.ofSeconds(positive(tree, field, defaultValue));
    }

    private static long positive(JsonObject tree, String field, long defaultValue) {
        var value = tree.number(field).orElse(0);
        return value > 0 ? value : defaultValue;
    }
}
