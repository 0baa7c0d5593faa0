package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/// A question to a container that is asked again and again.
///
/// @param successes in a row that make it well
/// @param failures in a row that make it unwell
/// @param grace how long a container that is ended for it may take; empty for the pod's own
public record Probe(
        LifecycleHandler handler,
        Duration delay,
        Duration period,
        Duration timeout,
        int successes,
        int failures,
        Optional<Duration> grace) {

    private static final long USUAL_PERIOD = 10;
    private static final long USUAL_FAILURES = 3;

    /// What a question is for.
    public enum Purpose {
        STARTUP("startupProbe", "Startup"),
        LIVENESS("livenessProbe", "Liveness"),
        READINESS("readinessProbe", "Readiness");

        private final String field;
        private final String word;

        Purpose(String field, String word) {
            this.field = field;
            this.word = word;
        }

        /// As events say it.
        public String word() {
            return word;
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
                seconds(tree, "periodSeconds", USUAL_PERIOD),
                seconds(tree, "timeoutSeconds", 1),
                (int) positive(tree, "successThreshold", 1),
                (int) positive(tree, "failureThreshold", USUAL_FAILURES),
                grace.isPresent()
                        ? Optional.of(Duration.ofSeconds(grace.getAsLong()))
                        : Optional.empty());
    }

    private static Duration seconds(JsonObject tree, String field, long usual) {
        return Duration.ofSeconds(positive(tree, field, usual));
    }

    private static long positive(JsonObject tree, String field, long usual) {
        var said = tree.number(field).orElse(0);
        return said > 0 ? said : usual;
    }
}
