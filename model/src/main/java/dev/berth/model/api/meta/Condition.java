package dev.berth.model.api.meta;

import java.time.Instant;
import java.util.Optional;

/// A condition of an object. `status` is `True`, `False` or `Unknown`.
public record Condition(
        String type,
        String status,
        long observedGeneration,
        Optional<Instant> lastTransitionTime,
        String reason,
        String message) {

    public boolean isTrue() {
        return status.equals("True");
    }
}
