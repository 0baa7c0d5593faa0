package dev.berth.core.cel;

import dev.berth.model.api.AttributeValue;

/// What evaluating an expression on a device gave, and what it did cost.
public sealed interface Outcome {

    long cost();

    /// A selector's answer.
    record Matched(boolean matches, long cost) implements Outcome {}

    /// The value of a derived attribute.
    record Derived(AttributeValue value, long cost) implements Outcome {}

    /// There is no answer; the message is Kubernetes' own.
    record Failed(String message, long cost) implements Outcome {}
}
