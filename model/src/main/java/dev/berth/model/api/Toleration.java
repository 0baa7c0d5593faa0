package dev.berth.model.api;

import java.util.Optional;
import java.util.OptionalLong;

/// Which node taints a pod puts up with; an absent effect and an empty key stand for any.
public record Toleration(
        String key,
        TolerationOperator operator,
        String value,
        Optional<NodeTaintEffect> effect,
        OptionalLong tolerationSeconds) {}
