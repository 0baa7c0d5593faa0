package dev.berth.core.cel;

import dev.berth.model.api.AttributeValue;

/// What evaluating an expression on a device gave, and what it did cost.
public sealed interface EvaluationResult {

    long cost();

    /// A selector's answer.
    record Matched(boolean matches, long cost) implements EvaluationResult {}

    /// The value of a derived attribute.
    record Derived(AttributeValue value, long cost) implements EvaluationResult {}

    /// There is no answer; the message is Kubernetes' own.
    record Failed(String message, long cost) implements EvaluationResult {}
}
