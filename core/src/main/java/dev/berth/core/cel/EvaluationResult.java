package dev.berth.core.cel;

import dev.berth.model.api.slice.AttributeValue;

/// Result and cost of evaluating an expression on a device.
public sealed interface EvaluationResult {

    long cost();

    /// Result of a selector.
    record Matched(boolean matches, long cost) implements EvaluationResult {}

    /// The value of a derived attribute.
    record Derived(AttributeValue value, long cost) implements EvaluationResult {}

    /// The evaluation failed, with the error message of Kubernetes.
    record Failed(String message, long cost) implements EvaluationResult {}
}
