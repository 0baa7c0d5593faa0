package dev.berth.model.api;

import java.time.Instant;
import java.util.Optional;

/// One aspect of an object's state, as somebody observed it. `status` is `True`, `False` or
/// `Unknown`.
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
