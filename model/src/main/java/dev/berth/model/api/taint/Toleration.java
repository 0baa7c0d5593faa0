package dev.berth.model.api.taint;

import java.util.Optional;
import java.util.OptionalLong;

/// The node taints that a pod tolerates; an absent effect and an empty key match any.
public record Toleration(
        String key,
        TolerationOperator operator,
        String value,
        Optional<NodeTaintEffect> effect,
        OptionalLong tolerationSeconds) {}
